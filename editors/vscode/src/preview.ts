// What a kustomization renders, beside the editor, with the way back to the source
// of each line, and compared with the base or with HEAD. The server makes the text
// and tells when it changed.
import * as vscode from 'vscode';
import type { Server } from './client';
import { untrusted } from './untrusted';
import { isPreview, parameter, scheme } from './virtual';

/** The parts that are used here of what `kls.preview` answers. */
interface Preview {
  readonly uri: string;
  readonly root: string;
  readonly text: string;
  /** URIs, by number. */
  readonly files: readonly string[];
  /** For each line of text the number of its file, and line and character there, 0-based. */
  readonly lines: readonly ([number, number, number] | null)[];
  /** The line of the text that comes from the position asked about. */
  readonly at?: number;
}

/** Where a line was written. */
interface Source {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
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
  readonly deployment?: string;
  readonly position?: { readonly line: number; readonly character: number };
  readonly against?: 'base' | 'head';
}

/** Shows rendered text, and keeps it and its sources in step. */
export class Previews implements vscode.Disposable {
  private readonly note = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2em' },
  });
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.wordHighlightStrongBackground'),
  });
  private readonly subscriptions: vscode.Disposable[] = [this.note, this.mark];
  /** The sources of the lines, by the document's URI, as long as its version is that. */
  private readonly sources = new Map<string, { version: number; preview: Promise<Preview | undefined> }>();

  constructor(private readonly server: Server) {
    this.subscriptions.push(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => void this.follow(textEditor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!isPreview(document.uri)) return;
        const active = vscode.window.activeTextEditor;
        if (active) void this.follow(active);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.sources.delete(document.uri.toString())),
    );
  }

  /** Shows what the root of a file, else of the active editor's, renders. */
  show(uri = activeUri()): Promise<void> {
    if (!uri) return nothingOpen();
    const position = positionIn(uri);
    return this.showFor({ uri: this.server.uriOf(uri), ...(position && { position }) });
  }

  /** Shows what a code lens or a hover asks for. */
  async showFor(wanted: Wanted): Promise<void> {
    const preview = await this.server.run<Preview>('kls.preview', wanted);
    if (!preview) return this.noAnswer();
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(preview.uri));
    const editor = await vscode.window.showTextDocument(document, { viewColumn: columnFor(document), preserveFocus: true, preview: false });
    if (preview.at !== undefined) this.markLines(editor, [preview.at]);
  }

  /** Compares what the root of a file renders with its base or with HEAD. */
  showDiff(against: 'base' | 'head', uri = activeUri()): Promise<void> {
    if (!uri) return nothingOpen();
    const resource = uri.scheme === scheme ? parameter(uri, 'resource') : undefined;
    const position = positionIn(uri);
    return this.showDiffFor({ uri: this.server.uriOf(uri), against, ...(resource && { resource }), ...(position && { position }) });
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

  /** Keeps the previews and the editors of their sources in step with the cursor. */
  private async follow(editor: vscode.TextEditor): Promise<void> {
    if (!vscode.workspace.getConfiguration('kls').get('preview.showSource', true)) return;
    const others = vscode.window.visibleTextEditors.filter((other) => other !== editor);
    if (isPreview(editor.document.uri)) await this.followToSource(editor, others);
    else if (editor.document.uri.scheme === 'file') await this.followToPreviews(editor, others.filter((other) => isPreview(other.document.uri)));
  }

  /** Notes at the cursor's line where it was written, and marks the place where that is visible. */
  private async followToSource(editor: vscode.TextEditor, others: readonly vscode.TextEditor[]): Promise<void> {
    const line = editor.selection.active.line;
    const source = await this.sourceOf(editor.document, line).catch(() => undefined);
    if (editor.selection.active.line !== line || line >= editor.document.lineCount) return;
    const end = editor.document.lineAt(line).range.end;
    const note = source && `← ${vscode.workspace.asRelativePath(source.uri)}:${source.position.line + 1}`;
    editor.setDecorations(this.note, note ? [{ range: new vscode.Range(end, end), renderOptions: { after: { contentText: note } } }] : []);
    editor.setDecorations(this.mark, []);
    for (const other of others) {
      this.markLines(other, source && other.document.uri.toString() === source.uri.toString() ? [source.position.line] : []);
    }
  }

  /** Marks in the previews what was written in the cursor's line. */
  private async followToPreviews(editor: vscode.TextEditor, previews: readonly vscode.TextEditor[]): Promise<void> {
    const line = editor.selection.active.line;
    const file = editor.document.uri.toString();
    for (const other of previews) {
      const preview = await this.previewOf(other.document).catch(() => undefined);
      if (editor.selection.active.line !== line) return;
      const number = preview?.files.findIndex((uri) => vscode.Uri.parse(uri).toString() === file);
      const lines = (preview?.lines ?? []).flatMap((at, index) => (at && at[0] === number && at[1] === line ? [index] : []));
      other.setDecorations(this.note, []);
      this.markLines(other, lines);
    }
    editor.setDecorations(this.mark, []);
  }

  private markLines(editor: vscode.TextEditor, lines: readonly number[]): void {
    const ranges = lines.filter((line) => line < editor.document.lineCount).map((line) => editor.document.lineAt(line).range);
    editor.setDecorations(this.mark, ranges);
    if (ranges[0]) editor.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private async sourceOf(document: vscode.TextDocument, line: number): Promise<Source | undefined> {
    const preview = await this.previewOf(document);
    const at = preview?.lines[line];
    const file = at && preview?.files[at[0]];
    return at && file ? { uri: vscode.Uri.parse(file), position: new vscode.Position(at[1], at[2]) } : undefined;
  }

  /** The sources of a document's lines; undefined while the text is not yet the one that they are of. */
  private async previewOf(document: vscode.TextDocument): Promise<Preview | undefined> {
    const key = document.uri.toString();
    const known = this.sources.get(key);
    const entry = known?.version === document.version ? known : { version: document.version, preview: this.server.run<Preview>('kls.preview', { uri: this.server.uriOf(document.uri) }) };
    this.sources.set(key, entry);
    const preview = await entry.preview;
    if (preview && preview.text.replaceAll('\r\n', '\n') === document.getText().replaceAll('\r\n', '\n')) return preview;
    if (this.sources.get(key) === entry) this.sources.delete(key);
    return undefined;
  }

  private async noAnswer(): Promise<void> {
    await vscode.window.showInformationMessage(this.server.version
      ? 'No kustomization uses this file.' : 'kls does not run: see its log.');
  }
}

/** Where the cursor is in a file, if that is the active editor's. */
function positionIn(uri: vscode.Uri): vscode.Position | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === uri.toString() ? editor.selection.active : undefined;
}

/** Where a preview goes: where it is open, else beside the active editor. */
function columnFor(document: vscode.TextDocument): vscode.ViewColumn {
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  return open?.viewColumn ?? vscode.ViewColumn.Beside;
}

function activeUri(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}

async function nothingOpen(): Promise<void> {
  await vscode.window.showInformationMessage('Open a kustomization, or a file that one uses, first.');
}
