// Where a value comes from, and what becomes of a line: the server's explanation,
// shown as a page beside the editor.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from './client';
import { explanationPage, fileLink, type LinkMessage } from './explainPage';

/** The parts that are used here of what `kls.explain` answers. */
interface Explanation {
  readonly markdown: string;
}

/** Shows explanations, one at a time. */
export class Explanations implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly server: Server, private readonly extension: vscode.Uri) {}

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
    this.panel ??= this.makePanel();
    this.panel.title = `Explanation of ${nameOf(wanted.uri)}:${wanted.position.line + 1}`;
    this.panel.webview.html = explanationPage(explanation.markdown, randomBytes(24).toString('base64url'));
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private makePanel(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel('kls.explanation', 'Explanation', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [] });
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'icon.png');
    panel.webview.onDidReceiveMessage((message: LinkMessage) => openLink(message));
    panel.onDidDispose(() => { this.panel = undefined; });
    return panel;
  }
}

async function openLink(message: LinkMessage): Promise<void> {
  const link = message.type === 'link' ? fileLink(message.href) : undefined;
  if (!link) return;
  const position = new vscode.Position(Math.max(0, link.line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.parse(link.uri), { selection: new vscode.Range(position, position), viewColumn: vscode.ViewColumn.One });
}

function nameOf(uri: string): string {
  return decodeURIComponent(vscode.Uri.parse(uri).path.split('/').at(-1) ?? '');
}
