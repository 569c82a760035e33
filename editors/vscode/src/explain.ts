// Where a value comes from, and what becomes of a line: the server's explanation,
// shown as a page beside the editor.
import * as vscode from 'vscode';
import type { Server } from './client';

/** The parts that are used here of what `kls.explain` answers. */
interface Explanation {
  readonly markdown: string;
}

const pageScheme = 'kls-explanation';

/** Shows explanations. */
export class Explanations implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly page = vscode.Uri.from({ scheme: pageScheme, path: '/Explanation.md' });
  private text = '';
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(pageScheme, {
    onDidChange: this.changed.event, provideTextDocumentContent: () => this.text,
  });

  constructor(private readonly server: Server) {}

  /** Explains the value at the cursor. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    await this.showFor({ uri: this.server.uriOf(editor.document.uri), position: editor.selection.active });
  }

  /** Explains what a code lens or a hover asks about. */
  async showFor(wanted: { readonly uri: string; readonly position: { readonly line: number; readonly character: number } }): Promise<void> {
    const explanation = await this.server.run<Explanation>('kls.explain', wanted);
    if (!explanation) {
      await vscode.window.showInformationMessage('There is nothing to explain here: put the cursor on a value that a kustomization renders or reads.');
      return;
    }
    this.text = explanation.markdown;
    this.changed.fire(this.page);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', this.page);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
