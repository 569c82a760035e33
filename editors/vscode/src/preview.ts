// What a kustomization renders, beside the editor, with the way back to the source
// of each line, and compared with the base or with HEAD. The server makes the text
// and tells when it changed.
import * as vscode from 'vscode';
import type { Server } from './client';
import { untrusted } from './untrusted';
import { isPreview, parameter, rootOf, scheme } from './virtual';

/** The parts that are used here of what `kls.preview` answers. */
interface Preview {
  readonly uri: string;
  readonly root: string;
  readonly text: string;
  /** URIs, by number. */
  readonly files: readonly string[];
  /** For each line of text the number of its file, and line and character there, 0-based. */
  readonly lines: readonly ([number, number, number] | null)[];
}

/** The parts that are used here of what `kls.previewDiff` answers. */
interface PreviewDiff {
  readonly title: string;
  readonly before: { readonly uri: string };
  readonly after: { readonly uri: string };
}

/** What is to be shown, as code lenses and hovers say it. */
interface Wanted {
  readonly uri: string;
  readonly resource?: string;
  readonly against?: 'base' | 'head';
}

/** Shows rendered text, and keeps it and its sources in step. */
export class Previews implements vscode.Disposable {
  private readonly note = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3em' },
  });
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  private readonly subscriptions: vscode.Disposable[] = [this.note, this.mark];
  /** The sources of the lines, by the document's URI, as long as its version is that. */
  private readonly sources = new Map<string, { version: number; preview: Promise<Preview | undefined> }>();

  constructor(private readonly server: Server) {
    this.subscriptions.push(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => void this.follow(textEditor)),
      vscode.workspace.onDidCloseTextDocument((document) => this.sources.delete(document.uri.toString())),
    );
  }

  /** Shows what the root of a file, else of the active editor's, renders. */
  show(uri = activeUri()): Promise<void> {
    return uri ? this.showFor({ uri: this.server.uriOf(uri) }) : nothingOpen();
  }

  /** Shows what a code lens or a hover asks for. */
  async showFor(wanted: Wanted): Promise<void> {
    const preview = await this.server.run<Preview>('kls.preview', wanted);
    if (!preview) return this.noAnswer();
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(preview.uri));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }

  /** Compares what the root of a file renders with its base or with HEAD. */
  showDiff(against: 'base' | 'head', uri = activeUri()): Promise<void> {
    if (!uri) return nothingOpen();
    const resource = uri.scheme === scheme ? parameter(uri, 'resource') : undefined;
    return this.showDiffFor({ uri: this.server.uriOf(uri), against, ...(resource && { resource }) });
  }

  /** Compares as a code lens or a hover asks. */
  async showDiffFor(wanted: Wanted): Promise<void> {
    if (wanted.against === 'head' && !vscode.workspace.isTrusted) {
      await vscode.window.showWarningMessage(untrusted);
      return;
    }
    const diff = await this.server.run<PreviewDiff>('kls.previewDiff', { against: 'base', ...wanted });
    if (!diff) return this.noAnswer();
    await vscode.commands.executeCommand('vscode.diff', vscode.Uri.parse(diff.before.uri), vscode.Uri.parse(diff.after.uri), diff.title);
  }

  /** Opens where the line of the cursor in a preview was written. */
  async goToSource(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isPreview(editor.document.uri)) return;
    const source = await this.sourceOf(editor.document, editor.selection.active.line);
    if (!source) {
      void vscode.window.setStatusBarMessage('$(info) kustomize made this line: no file has it.', 4000);
      return;
    }
    const beside = vscode.window.visibleTextEditors.find((other) => other !== editor && other.document.uri.scheme === 'file');
    await vscode.window.showTextDocument(source.uri, {
      selection: new vscode.Range(source.position, source.position), ...(beside?.viewColumn !== undefined && { viewColumn: beside.viewColumn }),
    });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Notes at the cursor's line where it was written, and marks the place where that is visible. */
  private async follow(editor: vscode.TextEditor): Promise<void> {
    if (!isPreview(editor.document.uri) || !vscode.workspace.getConfiguration('kls').get('preview.showSource', true)) return;
    const line = editor.selection.active.line;
    const source = await this.sourceOf(editor.document, line).catch(() => undefined);
    if (editor.selection.active.line !== line) return;
    const text = source ? `← ${vscode.workspace.asRelativePath(source.uri)}:${source.position.line + 1}` : '';
    const end = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range.end;
    editor.setDecorations(this.note, text ? [{ range: new vscode.Range(end, end), renderOptions: { after: { contentText: text } } }] : []);
    for (const other of vscode.window.visibleTextEditors) {
      if (other === editor) continue;
      const here = source && other.document.uri.toString() === source.uri.toString();
      const range = here ? other.document.validateRange(new vscode.Range(source.position, source.position)) : undefined;
      other.setDecorations(this.mark, range ? [range] : []);
      if (range) other.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private async sourceOf(document: vscode.TextDocument, line: number): Promise<{ uri: vscode.Uri; position: vscode.Position } | undefined> {
    const preview = await this.previewOf(document);
    const at = preview?.lines[line];
    const file = at && preview?.files[at[0]];
    return at && file ? { uri: vscode.Uri.parse(file), position: new vscode.Position(at[1], at[2]) } : undefined;
  }

  /** The sources of a document's lines; undefined while the text is not yet the one that they are of. */
  private async previewOf(document: vscode.TextDocument): Promise<Preview | undefined> {
    const key = document.uri.toString();
    const known = this.sources.get(key);
    const entry = known?.version === document.version ? known : { version: document.version, preview: this.ask(document.uri) };
    this.sources.set(key, entry);
    const preview = await entry.preview;
    if (preview && preview.text.replaceAll('\r\n', '\n') === document.getText().replaceAll('\r\n', '\n')) return preview;
    if (this.sources.get(key) === entry) this.sources.delete(key);
    return undefined;
  }

  private ask(uri: vscode.Uri): Promise<Preview | undefined> {
    const resource = parameter(uri, 'resource');
    const root = vscode.Uri.file(rootOf(uri));
    return this.server.run<Preview>('kls.preview', { uri: root.toString(), ...(resource && { resource }) });
  }

  private async noAnswer(): Promise<void> {
    await vscode.window.showInformationMessage(this.server.version
      ? 'No kustomization uses this file.' : 'kls does not run: see its log.');
  }
}

function activeUri(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}

async function nothingOpen(): Promise<void> {
  await vscode.window.showInformationMessage('Open a kustomization, or a file that one uses, first.');
}
