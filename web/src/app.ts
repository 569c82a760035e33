// The playground: a tree of files in this page, the language server in a worker, and
// views of what it says.
import { indentUnit } from '@codemirror/language';
import { languageServerExtensions, LSPClient, LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client';
import { yaml } from '@codemirror/lang-yaml';
import { setDiagnostics, type Diagnostic as Underlined } from '@codemirror/lint';
import { type ChangeSet, EditorState, StateEffect, StateField, type Text } from '@codemirror/state';
import { oneDark } from '@codemirror/theme-one-dark';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import examples from 'kls:examples';
import { chooseFiles, filesOf } from './input';
import { pathOf, rootUri, Server, uriOf } from './server';
import { checked, type Files, fromFragment, fromZip, InputError, isHidden, limits, pathProblem, textOf, toFragment, withoutCommonFolder } from './tree';
import { element, find, Tabs } from './page';

interface Position { readonly line: number; readonly character: number }
interface Range { readonly start: Position; readonly end: Position }
interface Diagnostic { readonly range: Range; readonly severity?: number; readonly code?: string | number; readonly message: string; readonly data?: unknown }
interface TextEdit { readonly range: Range; readonly newText: string }
interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly TextEdit[]>>;
  readonly documentChanges?: readonly ({ readonly textDocument: { readonly uri: string }; readonly edits: readonly TextEdit[] } | { readonly kind: string; readonly uri: string })[];
}
interface CodeAction { readonly title: string; readonly edit?: WorkspaceEdit; readonly disabled?: { readonly reason: string }; readonly diagnostics?: readonly Diagnostic[] }
interface Preview { readonly uri: string; readonly root: string; readonly verdict: string; readonly text: string; readonly files: readonly string[]; readonly lines: readonly ([number, number, number] | null)[] }

const severities = ['', 'error', 'warning', 'info', 'hint'] as const;
const pause = 150; // milliseconds without a change before views follow

/** What the playground can do besides what the editor's client says of itself. */
const abilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } }, disabledSupport: true } },
  workspace: { workspaceEdit: { documentChanges: true }, didChangeWatchedFiles: { dynamicRegistration: false } },
};

/** The file in the editor, as the client of the protocol wants it. */
class OpenFile implements WorkspaceFile {
  version = 0;
  readonly languageId = 'yaml';
  constructor(readonly uri: string, public doc: Text, readonly view: EditorView) {}
  getView(): EditorView { return this.view; }
}

/** The files that the client knows of: the one in the editor. */
class OneFile extends Workspace {
  files: OpenFile[] = [];
  show: (path: string) => EditorView | null = () => null;

  syncFiles(): { file: OpenFile; prevDoc: Text; changes: ChangeSet }[] {
    return this.files.flatMap((file) => {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) return [];
      const update = { file, prevDoc: file.doc, changes: plugin.unsyncedChanges };
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
      return [update];
    });
  }
  openFile(uri: string, _language: string, view: EditorView): void {
    const file = new OpenFile(uri, view.state.doc, view);
    this.files.push(file);
    this.client.didOpen(file);
  }
  closeFile(uri: string): void {
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }
  override async displayFile(uri: string): Promise<EditorView | null> {
    const path = pathOf(uri);
    return path === undefined ? null : this.show(path);
  }
}

/** Lines that are marked, by number from 0. */
const markLines = StateEffect.define<readonly number[]>();
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    set = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(markLines)) continue;
      const { doc } = transaction.state;
      set = Decoration.set(effect.value.filter((line) => line < doc.lines).map((line) => Decoration.line({ class: 'cm-marked' }).range(doc.line(line + 1).from)));
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Playground {
  private files = new Map<string, string>();
  private open = '';
  private diagnostics = new Map<string, readonly Diagnostic[]>();
  private editor: EditorView | undefined;
  private readonly rendered = new EditorView({ parent: find('preview') });
  private preview: Preview | undefined;
  private timer = 0;
  private server!: Server;
  private client!: LSPClient;
  private readonly tabs = new Tabs(['problems', 'preview', 'explain', 'graph'], () => void this.refresh());

  constructor() {
    this.connect();
    this.fillExamples();
    find('share').onclick = () => this.guarded(() => this.share());
    find('theme').onclick = () => this.setDark(!this.isDark());
    find('new-file').onclick = () => this.guarded(() => this.createFile());
    find('rename-file').onclick = () => this.guarded(() => this.renameFile());
    find('delete-file').onclick = () => this.guarded(() => this.deleteFile());
    chooseFiles('open-folder', 'folder-input', (files) => this.guarded(() => this.loadFolder(files)));
    chooseFiles('open-zip', 'zip-input', (files) => this.guarded(() => this.loadZip(files[0]!)));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.guarded(async () => {
        const dropped = await filesOf(event.dataTransfer);
        const zip = dropped.length === 1 && dropped[0]!.path.endsWith('.zip') ? dropped[0]!.file : undefined;
        await (zip ? this.loadZip(zip) : this.loadFolder(dropped));
      });
    });
    addEventListener('hashchange', () => this.guarded(() => this.loadLocation()));
    this.setDark(matchMedia('(prefers-color-scheme: dark)').matches);
    this.guarded(() => this.loadLocation());
  }

  private connect(): void {
    this.server = new Server((reason) => this.stopped(reason));
    this.client = new LSPClient({
      rootUri,
      timeout: 20_000,
      workspace: (client) => Object.assign(new OneFile(client), { show: (path: string) => this.show(path) }),
      extensions: [...languageServerExtensions(), { clientCapabilities: abilities }],
      notificationHandlers: {
        'textDocument/publishDiagnostics': (_client, { uri, diagnostics }: { uri: string; diagnostics: readonly Diagnostic[] }) => {
          this.received(uri, diagnostics);
          return true;
        },
      },
    });
    this.client.connect(this.server);
    const started = performance.now();
    this.client.initializing.then(() => this.say(`kls is ready (${((performance.now() - started) / 1000).toFixed(1)} s).`), (error: unknown) => this.stopped(String(error)));
  }

  private stopped(reason: string): void {
    this.say(`kls stopped${reason ? `: ${reason}` : ''}. Reload the page to start it again; copy a link first to keep your files.`, true);
  }

  // Which files there are.

  private loadLocation(): void {
    const fragment = location.hash.slice(1);
    if (fragment.startsWith('example=')) {
      this.loadExample(decodeURIComponent(fragment.slice('example='.length)));
    } else if (fragment) {
      try {
        const shared = fromFragment(fragment);
        this.replaceFiles(shared.files, shared.open);
      } catch (error) {
        if (this.files.size === 0) this.loadExample(Object.keys(examples)[0]!);
        throw error;
      }
    } else {
      this.loadExample(Object.keys(examples)[0]!);
    }
  }

  private loadExample(name: string): void {
    const example = examples[name];
    if (!example) throw new InputError(`There is no example named ${name.slice(0, 80)}.`);
    find<HTMLSelectElement>('examples').value = name;
    this.replaceFiles(new Map(Object.entries(example.files)), example.open);
  }

  private fillExamples(): void {
    const select = find<HTMLSelectElement>('examples');
    for (const [name, { title }] of Object.entries(examples)) select.append(new Option(title, name));
    select.onchange = () => { location.hash = `example=${select.value}`; };
  }

  private async loadFolder(given: readonly { path: string; file: File }[]): Promise<void> {
    const usable = given.filter(({ path, file }) => !isHidden(`${path}`) && file.size <= limits.fileSize);
    if (usable.length > limits.files) throw new InputError(`This folder has ${usable.length.toLocaleString('en')} files; the playground takes ${limits.files.toLocaleString('en')}.`);
    const texts: (readonly [string, string])[] = [];
    for (const { path, file } of usable) {
      const text = textOf(new Uint8Array(await file.arrayBuffer()));
      if (text !== undefined) texts.push([path, text]);
    }
    this.loaded(checked(withoutCommonFolder(texts)), given.length - texts.length);
  }

  private async loadZip(file: File): Promise<void> {
    const { files, skipped } = await fromZip(new Uint8Array(await file.arrayBuffer()));
    this.loaded(files, skipped);
  }

  private loaded(files: Map<string, string>, skipped: number): void {
    if (files.size === 0) throw new InputError('There is no text file in it.');
    this.replaceFiles(files, '');
    this.say(`${files.size.toLocaleString('en')} files loaded${skipped ? `; ${skipped.toLocaleString('en')} left out (too large, no text, or a tool's own)` : ''}.`);
  }

  private replaceFiles(files: Map<string, string>, open: string): void {
    this.close();
    const gone = [...this.files.keys()].filter((path) => !files.has(path));
    const changed = [...files].filter(([path, text]) => this.files.get(path) !== text);
    this.files = files;
    this.diagnostics.clear();
    this.changeOnServer(new Map(changed), gone);
    const first = [...files.keys()].sort().find((path) => /(^|\/)(kustomization\.ya?ml|Kustomization)$/.test(path)) ?? [...files.keys()][0];
    const path = files.has(open) ? open : first;
    if (path !== undefined) this.show(path);
    void this.refresh();
  }

  private changeOnServer(put: Files, remove: readonly string[]): void {
    this.server.change(put, remove);
    const changes = [...[...put.keys()].map((path) => ({ uri: uriOf(path), type: 2 })), ...remove.map((path) => ({ uri: uriOf(path), type: 3 }))];
    void this.client.initializing.then(() => this.client.notification('workspace/didChangeWatchedFiles', { changes }));
  }

  private createFile(): void {
    const path = prompt('Path of the new file', this.open.includes('/') ? `${this.open.slice(0, this.open.lastIndexOf('/'))}/new.yaml` : 'new.yaml');
    if (path === null) return;
    this.checkNew(path);
    this.files.set(path, '');
    this.changeOnServer(new Map([[path, '']]), []);
    this.show(path);
  }

  private renameFile(): void {
    const old = this.open;
    const path = old && prompt('New path of the file', old);
    if (!path || path === old) return;
    this.checkNew(path);
    this.close();
    const text = this.files.get(old)!;
    this.files.delete(old);
    this.files.set(path, text);
    this.changeOnServer(new Map([[path, text]]), [old]);
    this.show(path);
  }

  private deleteFile(): void {
    if (!this.open || !confirm(`Delete ${this.open}?`)) return;
    const old = this.open;
    this.close();
    this.files.delete(old);
    this.diagnostics.delete(old);
    this.changeOnServer(new Map(), [old]);
    const next = [...this.files.keys()].sort()[0];
    if (next !== undefined) this.show(next);
    else this.listFiles();
  }

  private checkNew(path: string): void {
    const problem = pathProblem(path) ?? (this.files.has(path) ? `${path} is there already.` : undefined);
    if (problem) throw new InputError(problem);
  }

  private async share(): Promise<void> {
    this.keepText();
    const fragment = toFragment(this.files, this.open);
    history.replaceState(null, '', `#${fragment}`);
    await navigator.clipboard.writeText(location.href).catch(() => undefined);
    this.say('The link is in the address bar and, where the browser allows it, in the clipboard.');
  }

  // The editor.

  private show(path: string): EditorView | null {
    if (path === this.open && this.editor) return this.editor;
    const text = this.files.get(path);
    if (text === undefined) return null;
    this.close();
    this.open = path;
    this.editor = new EditorView({ parent: find('editor'), state: this.editorState(path, text) });
    find('open-name').textContent = path;
    this.underline();
    this.listFiles();
    return this.editor;
  }

  private editorState(path: string, text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        basicSetup, indentUnit.of('  '), yaml(), marked, this.isDark() ? oneDark : [],
        EditorView.contentAttributes.of({ 'aria-label': `Text of ${path}` }),
        this.client.plugin(uriOf(path), 'yaml'),
        EditorView.updateListener.of((update) => {
          if (update.docChanged || update.selectionSet) this.later();
        }),
      ],
    });
  }

  private close(): void {
    this.keepText();
    if (!this.editor) return;
    const path = this.open;
    this.editor.destroy();
    this.editor = undefined;
    this.open = '';
    if (this.files.has(path)) this.changeOnServer(new Map([[path, this.files.get(path)!]]), []);
  }

  private keepText(): void {
    if (this.editor && this.files.has(this.open)) this.files.set(this.open, this.editor.state.doc.toString());
  }

  private isDark(): boolean {
    return document.documentElement.classList.contains('dark');
  }

  private setDark(dark: boolean): void {
    document.documentElement.classList.toggle('dark', dark);
    find('theme').setAttribute('aria-pressed', String(dark));
    const path = this.open;
    if (path) {
      this.close();
      this.show(path);
    }
    this.showPreview(this.preview);
  }

  // What the server says.

  private received(uri: string, diagnostics: readonly Diagnostic[]): void {
    const path = pathOf(uri);
    if (path === undefined) return;
    if (diagnostics.length === 0) this.diagnostics.delete(path);
    else this.diagnostics.set(path, diagnostics);
    if (path === this.open) this.underline();
    this.listFiles();
    this.later();
  }

  private underline(): void {
    if (!this.editor) return;
    const { doc } = this.editor.state;
    const offset = ({ line, character }: Position) => (line < doc.lines ? Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to) : doc.length);
    const found = (this.diagnostics.get(this.open) ?? []).map((d): Underlined => ({
      from: offset(d.range.start), to: offset(d.range.end), severity: severities[d.severity ?? 1] || 'error', message: d.message, source: String(d.code ?? 'kls'),
    }));
    this.editor.dispatch(setDiagnostics(this.editor.state, found));
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.refresh(), pause);
  }

  /** Brings the visible panel up to date. */
  private async refresh(): Promise<void> {
    this.keepText();
    try {
      await this.client.initializing;
      this.client.sync();
      switch (this.tabs.selected) {
        case 'problems': return await this.refreshProblems();
        case 'preview': return this.showPreview(await this.run<Preview>('kls.preview', { uri: uriOf(this.open) }));
        case 'explain': return await this.refreshExplanation();
        case 'graph': return await this.refreshGraph();
      }
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true);
    }
  }

  private run<T>(command: string, argument: object): Promise<T | null> {
    if (!this.open) return Promise.resolve(null);
    return this.client.request('workspace/executeCommand', { command, arguments: [argument] });
  }

  private async refreshProblems(): Promise<void> {
    const list = element('div');
    for (const [path, diagnostics] of [...this.diagnostics].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const diagnostic of diagnostics) list.append(await this.problemCard(path, diagnostic));
    }
    if (!list.hasChildNodes()) list.append(element('p', 'No problems.'));
    find('panel-problems').replaceChildren(list);
  }

  private async problemCard(path: string, diagnostic: Diagnostic): Promise<HTMLElement> {
    const where = element('button', `${path}:${diagnostic.range.start.line + 1}`, 'where');
    where.onclick = () => this.reveal(path, diagnostic.range.start);
    const first = element('p');
    first.append(where, ' ', element('span', `${severities[diagnostic.severity ?? 1]} · ${diagnostic.code ?? ''}`, 'rule'));
    const card = element('div', undefined, `problem ${severities[diagnostic.severity ?? 1]}`);
    card.append(first, element('p', diagnostic.message));
    const actions = await this.client.request<object, readonly CodeAction[] | null>('textDocument/codeAction', {
      textDocument: { uri: uriOf(path) }, range: diagnostic.range, context: { diagnostics: [diagnostic], only: ['quickfix'] },
    });
    for (const action of actions ?? []) {
      if (!action.edit || action.disabled) continue;
      const button = element('button', action.title);
      button.onclick = () => this.guarded(() => this.apply(action.edit!));
      card.append(button, ' ');
    }
    return card;
  }

  private reveal(path: string, { line, character }: Position): void {
    const editor = this.show(path);
    if (!editor) return;
    const { doc } = editor.state;
    const at = line < doc.lines ? Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to) : doc.length;
    editor.dispatch({ selection: { anchor: at }, effects: [EditorView.scrollIntoView(at, { y: 'center' }), markLines.of([line])] });
    editor.focus();
  }

  private apply(edit: WorkspaceEdit): void {
    const open = this.open;
    this.close();
    const changed = new Map<string, string>();
    const textEdits = [...Object.entries(edit.changes ?? {}), ...(edit.documentChanges ?? []).flatMap((change) => ('edits' in change ? [[change.textDocument.uri, change.edits] as const] : []))];
    for (const [uri, edits] of textEdits) {
      const path = pathOf(uri);
      if (path !== undefined) changed.set(path, edited(changed.get(path) ?? this.files.get(path) ?? '', edits));
    }
    for (const [path, text] of changed) this.files.set(path, text);
    this.changeOnServer(changed, []);
    this.show(this.files.has(open) ? open : [...changed.keys()][0]!);
    this.later();
  }

  private async refreshExplanation(): Promise<void> {
    const position = this.cursor();
    const answer = position && await this.run<{ text: string }>('kls.explain', { uri: uriOf(this.open), position });
    find('panel-explain').replaceChildren(element('pre', answer?.text ?? 'Put the cursor on a line that ends up in the output.'));
  }

  private async refreshGraph(): Promise<void> {
    const answer = await this.run<{ html: string }>('kls.graph', { uri: rootUri });
    const frame = element('iframe');
    frame.title = 'What includes what';
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = 'graph.html';
    frame.onload = () => frame.contentWindow?.postMessage({ html: answer?.html ?? 'There is no kustomization.' }, '*');
    find('panel-graph').replaceChildren(frame);
  }

  private cursor(): Position | undefined {
    if (!this.editor) return undefined;
    const { doc, selection } = this.editor.state;
    const line = doc.lineAt(selection.main.head);
    return { line: line.number - 1, character: selection.main.head - line.from };
  }

  // The rendered text and its sources.

  private showPreview(preview: Preview | null | undefined): void {
    const kept = this.preview?.root === preview?.root ? this.rendered.state.selection.main.head : 0;
    this.preview = preview ?? undefined;
    find('preview-note').textContent = preview ? `${pathOf(preview.root) || 'The workspace'}: ${preview.verdict}. Click a line to see where it was written.` : 'No kustomization uses this file.';
    const text = preview?.text ?? '';
    this.rendered.setState(EditorState.create({
      doc: text,
      selection: { anchor: Math.min(kept, text.length) },
      extensions: [
        basicSetup, yaml(), marked, this.isDark() ? oneDark : [], EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': 'Rendered resources' }),
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && update.transactions.some((t) => t.isUserEvent('select'))) this.followToSource();
        }),
      ],
    }));
    this.markRendered();
  }

  /** Marks in the rendered text what the cursor's line in the editor wrote. */
  private markRendered(): void {
    const cursor = this.cursor();
    const file = this.preview?.files.findIndex((uri) => pathOf(uri) === this.open) ?? -1;
    const lines = (this.preview?.lines ?? []).flatMap((at, index) => (at && cursor && at[0] === file && at[1] === cursor.line ? [index] : []));
    const { doc } = this.rendered.state;
    const first = lines[0];
    this.rendered.dispatch({ effects: [markLines.of(lines), ...(first !== undefined && first < doc.lines ? [EditorView.scrollIntoView(doc.line(first + 1).from, { y: 'center' })] : [])] });
  }

  /** Shows in the editor where the cursor's line of the rendered text was written. */
  private followToSource(): void {
    const { doc, selection } = this.rendered.state;
    const at = this.preview?.lines[doc.lineAt(selection.main.head).number - 1];
    const path = at ? pathOf(this.preview!.files[at[0]]!) : undefined;
    if (!at || path === undefined) {
      find('blame').textContent = 'kustomize made this line: no file has it.';
      return;
    }
    find('blame').textContent = `The rendered line was written in ${path}:${at[1] + 1}.`;
    const editor = this.show(path);
    if (!editor || at[1] >= editor.state.doc.lines) return;
    editor.dispatch({ effects: [markLines.of([at[1]]), EditorView.scrollIntoView(editor.state.doc.line(at[1] + 1).from, { y: 'center' })] });
  }

  // The page.

  private listFiles(): void {
    const list = find('files');
    const focused = list.contains(document.activeElement);
    const items: HTMLElement[] = [];
    let last = '';
    for (const path of [...this.files.keys()].sort(inFolders)) {
      const cut = path.lastIndexOf('/');
      const dir = cut < 0 ? '' : path.slice(0, cut);
      if (dir !== last) items.push(element('li', dir, 'dir'));
      last = dir;
      items.push(this.fileItem(path, path.slice(cut + 1)));
    }
    list.replaceChildren(...items);
    if (focused) list.querySelector<HTMLElement>('[aria-current]')?.focus();
  }

  private fileItem(path: string, name: string): HTMLElement {
    const button = element('button', name);
    button.title = path;
    button.onclick = () => this.show(path);
    if (path === this.open) button.setAttribute('aria-current', 'true');
    const serious = (this.diagnostics.get(path) ?? []).filter(({ severity }) => (severity ?? 1) <= 2);
    if (serious.length > 0) {
      const worst = serious.some(({ severity }) => severity === 1) ? 'error' : 'warning';
      const count = element('span', String(serious.length), `count ${worst}`);
      count.setAttribute('aria-label', `${serious.length} ${worst === 'error' ? 'problems' : 'warnings'}`);
      button.append(count);
    }
    const item = element('li');
    item.append(button);
    return item;
  }

  private say(text: string, bad = false): void {
    const status = find('status');
    status.textContent = text;
    status.classList.toggle('bad', bad);
  }

  /** Runs what a person asked for, and says what is wrong with their input. */
  private guarded(run: () => void | Promise<void>): void {
    const report = (error: unknown) => {
      if (!(error instanceof InputError)) console.error(error);
      this.say(error instanceof Error ? error.message : String(error), true);
    };
    try {
      Promise.resolve(run()).catch(report);
    } catch (error) {
      report(error);
    }
  }
}

/** Files of a folder come before its folders. */
function inFolders(a: string, b: string): number {
  const [x, y] = [a.split('/'), b.split('/')];
  for (let i = 0; ; i++) {
    const leaves = Number(i === y.length - 1) - Number(i === x.length - 1);
    if (leaves !== 0 || x[i] !== y[i]) return leaves || (x[i]! < y[i]! ? -1 : 1);
    if (i === x.length - 1) return 0;
  }
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  const offset = ({ line, character }: Position) => Math.min((starts[line] ?? text.length) + character, text.length);
  const fromTheEnd = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  for (const { range, newText } of fromTheEnd) text = text.slice(0, offset(range.start)) + newText + text.slice(offset(range.end));
  return text;
}

new Playground();
