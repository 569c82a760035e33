// The include graph in a webview: the page that `kls graph --format html` writes,
// under a stricter policy, and with clicks that open files.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from './client';
import { hardenPage, type GraphMessage } from './graphPage';

/** The parts that are used here of what `kls.graph` answers. */
interface Answer {
  readonly html: string;
}

/** Shows include graphs, one panel for each place that was asked about. */
export class Graphs implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly server: Server, private readonly extension: vscode.Uri) {}

  /** Shows the graph of a folder or of a kustomization, by default the one in the active editor, else of the workspace. */
  show(uri?: vscode.Uri): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const asked = uri ?? (active && isKustomization(active) ? active : undefined);
    return this.showFor(asked?.scheme === 'file' ? { uri: asked.toString() } : {});
  }

  /** Shows what a code lens or a hover asks for. */
  async showFor(wanted: { readonly uri?: string }): Promise<void> {
    const answer = await this.server.run<Answer>('kls.graph', wanted);
    if (!answer) {
      await vscode.window.showInformationMessage('There is no kustomization to draw here.');
      return;
    }
    const key = wanted.uri ?? '';
    const open = this.panels.get(key);
    const panel = open ?? this.makePanel(key);
    panel.webview.html = hardenPage(answer.html, randomBytes(24).toString('base64url'));
    if (open) panel.reveal();
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
  }

  private makePanel(key: string): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel('kls.graph', 'Kustomize Graph', vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true });
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'icon.png');
    panel.webview.onDidReceiveMessage((message: GraphMessage) => openNode(message, key));
    panel.onDidDispose(() => this.panels.delete(key));
    this.panels.set(key, panel);
    return panel;
  }
}

async function openNode(message: GraphMessage, asked: string): Promise<void> {
  if (message.type !== 'open') return;
  const file = await fileOf(message.id, asked);
  if (!file) return;
  const position = new vscode.Position(Math.max(0, message.line - 1), 0);
  const beside = vscode.window.tabGroups.all.length > 1 ? vscode.ViewColumn.One : vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(position, position), viewColumn: beside });
}

function isKustomization(uri: vscode.Uri): boolean {
  return /\/(Kustomization|kustomization\.ya?ml)$/.test(uri.path);
}

/** Finds the file of a node, whose name is a path below the open folder that was asked about; that of a folder is its kustomization. */
async function fileOf(id: string, asked: string): Promise<vscode.Uri | undefined> {
  const own = asked ? vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(asked)) : undefined;
  for (const { uri: base } of [...(own ? [own] : []), ...(vscode.workspace.workspaceFolders ?? [])]) {
    for (const name of ['', 'kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
      const file = vscode.Uri.joinPath(base, id, name);
      const type = await vscode.workspace.fs.stat(file).then((stat) => stat.type, () => vscode.FileType.Unknown);
      if (type & vscode.FileType.File) return file;
    }
  }
  return undefined;
}
