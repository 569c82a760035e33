// The status bar item: do the roots that use the open file build?
import * as vscode from 'vscode';
import { State } from 'vscode-languageclient/node';
import type { Server } from './client';
import { iconOf, lineOf, nameOf, reasonOf, statusOf, type Reason, type RootVerdict } from './verdicts';

/** Shows the verdict of the roots of the active editor's file. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('kls.verdict', vscode.StatusBarAlignment.Left, 10);
  private readonly subscriptions: vscode.Disposable[] = [this.item];
  private roots: readonly RootVerdict[] = [];
  /** Counts the questions, so that a late answer does not replace a newer one. */
  private asked = 0;

  constructor(private readonly server: Server) {
    this.item.name = 'Kustomize verdict';
    this.item.command = 'kls.showMenu';
    const update = () => void this.update();
    this.subscriptions.push(
      vscode.window.onDidChangeActiveTextEditor(update),
      server.onVerdicts(update),
      server.onState((state) => { if (state !== State.Starting) update(); }),
      vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('kls.statusBar')) update(); }),
    );
  }

  /** Lets the user choose among the roots of the file and what can be done with them. */
  async showMenu(): Promise<void> {
    const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
    const roots = this.roots.map((root) => ({
      label: `${iconOf(root.verdict)} ${nameOf(root.root)}`, description: lineOf(root), detail: reasonOf(root),
      run: () => root.reason ? openReason(root.reason) : openKustomization(root.root),
    }));
    const commands = [
      ['$(open-preview) Preview Rendered Output', 'kls.showPreview'],
      ['$(diff) Diff Against Base', 'kls.showDiffBase'],
      ['$(type-hierarchy) Show Include Graph', 'kls.showGraph'],
      ['$(checklist) Check Workspace', 'kls.checkWorkspace'],
      ['$(debug-restart) Restart Server', 'kls.restartServer'],
      ['$(output) Show Log', 'kls.showLog'],
    ].map(([label, command]) => ({ label: label!, description: '', detail: '', run: () => vscode.commands.executeCommand(command!) }));
    const chosen = await vscode.window.showQuickPick([...roots, ...(roots.length ? [{ ...separator, run: undefined }] : []), ...commands],
      { title: this.server.version || 'kls does not run', placeHolder: 'A kustomization that uses the open file, or a command' });
    await chosen?.run?.();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async update(): Promise<void> {
    const asked = ++this.asked;
    const uri = vscode.window.activeTextEditor?.document.uri;
    // A view without text, such as the Problems, leaves what is shown.
    const roots = uri?.scheme === 'file' || uri?.scheme === 'kls'
      ? await this.server.run<RootVerdict[]>('kls.verdicts', { uri: this.server.uriOf(uri) }).catch(() => undefined) : undefined;
    if (asked !== this.asked) return;
    this.roots = roots ?? [];
    void vscode.commands.executeCommand('setContext', 'kls.belongs', this.roots.length > 0);
    const status = statusOf(this.roots);
    if (!status || !vscode.workspace.getConfiguration('kls').get('statusBar', true)) {
      this.item.hide();
      return;
    }
    this.item.text = status.text;
    this.item.accessibilityInformation = { label: `Kustomize: ${status.text.replace(/\$\([a-z-]+\)/g, '').trim()}` };
    this.item.backgroundColor = status.severity === 'error' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.tooltip = tooltipOf(this.roots, this.server.version);
    this.item.show();
  }
}

function tooltipOf(roots: readonly RootVerdict[], version: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  for (const root of roots.slice(0, 20)) {
    text.appendMarkdown(`${iconOf(root.verdict)} `).appendText(`${nameOf(root.root)}: ${lineOf(root)}`).appendMarkdown('  \n');
    if (root.reason) text.appendText(reasonOf(root)).appendMarkdown('  \n');
  }
  if (roots.length > 20) text.appendText(`and ${roots.length - 20} more\n`);
  return text.appendMarkdown('\n---\n').appendText(version);
}

async function openReason({ location: { uri, range } }: Reason): Promise<void> {
  const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
}

async function openKustomization(root: string): Promise<void> {
  const uri = vscode.Uri.parse(root);
  for (const name of ['', 'kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
    const candidate = name ? vscode.Uri.joinPath(uri, name) : uri;
    const kind = await vscode.workspace.fs.stat(candidate).then((stat) => stat.type, () => vscode.FileType.Unknown);
    if (kind === vscode.FileType.File) {
      await vscode.window.showTextDocument(candidate);
      return;
    }
  }
}
