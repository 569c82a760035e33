// Changes of rendered values: the server says where one could be written and what that takes, and people decide.
import * as vscode from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageclient/node';
import type { Server } from './client';

/** A kustomization in which a value could be changed. */
export interface Choice {
  readonly title: string;
  readonly uri: string;
  readonly layer: string;
  readonly resource: string;
  readonly current: string;
}

/** What `kls.set` answers. */
interface Answer {
  readonly choices?: readonly Choice[];
  readonly edit?: WorkspaceEdit;
  readonly diff?: string;
  readonly said?: readonly string[];
  readonly refused?: string;
}

/** Asks for values, shows what would be written, and writes it. */
export class Changes {
  constructor(private readonly server: Server) {}

  /** Changes the value at the cursor, where the user chooses. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const answer = await this.server.run<Answer>('kls.set', { uri: this.server.uriOf(editor.document.uri), position: editor.selection.active });
    const choices = answer?.choices ?? [];
    if (choices.length === 0) {
      await vscode.window.showInformationMessage('No kustomization renders a value from here: put the cursor on a value of a preview or of a resource.');
      return;
    }
    const picked = choices.length === 1 ? choices[0]
      : (await vscode.window.showQuickPick(choices.map((choice) => ({ label: choice.title, description: choice.resource, choice })), { placeHolder: 'Change the value' }))?.choice;
    if (picked) await this.change(picked);
  }

  /** Asks for the value of a choice, beginning with what it is now. */
  async change(choice: Choice): Promise<void> {
    const value = await vscode.window.showInputBox({ title: choice.title, prompt: choice.resource, value: choice.current });
    if (value === undefined || value === choice.current) return;
    const answer = await this.server.run<Answer>('kls.set', { uri: choice.uri, layer: choice.layer, resource: choice.resource, value });
    if (!answer) return;
    if (answer.refused) {
      await vscode.window.showWarningMessage(answer.refused);
      return;
    }
    if (!answer.edit || !answer.diff) return;
    const detail = [answer.diff, ...(answer.said ?? [])].join('\n');
    if (await vscode.window.showInformationMessage(`${choice.title}?`, { modal: true, detail }, 'Write') === 'Write') await this.server.apply(answer.edit);
  }
}
