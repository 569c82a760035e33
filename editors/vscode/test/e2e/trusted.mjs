// What works in an ordinary workspace.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventually, Window } from './vscode.mjs';

const overlay = 'overlays/prod/kustomization.yaml';

async function diagnostics(window, { at, artifacts }) {
  const opened = Date.now();
  await window.openFile(overlay, ...at(overlay, 'wbe'));
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
  const seconds = ((Date.now() - opened) / 1000).toFixed(1);
  const found = await eventually(async () => {
    const rows = await window.problems();
    assert.ok(rows.some((row) => /wbe/.test(row) && /kls|patch-no-target/.test(row)), rows.join('\n'));
    return rows;
  });
  assert.equal(found.filter((row) => /patch-no-target/.test(row)).length, 1, `once, not twice: ${found.join('\n')}`);
  await window.picture(join(artifacts, 'diagnostics.png'));
  return `${seconds} s from opening the file`;
}

async function schemas(window, { read, write }) {
  write('base/api.yaml', read('base/api.yaml').replace('  selector:', '  replicsa: 2\n  selector:'));
  await window.openFile(overlay);
  await eventually(async () => {
    const rows = await window.problems();
    assert.ok(rows.some((row) => /replicsa/.test(row)), rows.join('\n'));
  });
}

async function quickFix(window, { at, read, artifacts }) {
  await window.openFile(overlay, ...at(overlay, 'wbe'));
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
  const offer = window.page.locator('.action-widget .monaco-list-row', { hasText: /web/ }).and(window.page.locator('.focused'));
  await eventually(async (wait) => {
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Control+.');
    await offer.waitFor({ timeout: wait });
  });
  await window.picture(join(artifacts, 'quickfix.png'));
  await window.page.keyboard.press('Enter'); // the first fix has the focus
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor({ state: 'detached' });
  await window.page.keyboard.press('Control+S');
  await eventually(() => assert.doesNotMatch(read(overlay), /wbe/));
  assert.match(read(overlay), /kind: Deployment\n {4}name: web\n/);
}

async function hover(window, { at, artifacts }) {
  await window.openFile(overlay, ...at(overlay, 'data.config'));
  await window.hover(/localhost[\s\S]*postgres\.shop\.internal/);
  await window.picture(join(artifacts, 'hover.png'));
}

async function completion(window, { at, read, artifacts }) {
  const [line] = at(overlay, '- data.config');
  await window.openFile(overlay, line);
  await window.page.keyboard.press('End');
  await window.page.keyboard.type('\n');
  await window.page.keyboard.type('- data.config\\.json.');
  await window.complete(/^database$/);
  await window.picture(join(artifacts, 'completion.png'));
  await window.page.keyboard.type('lo');
  await window.complete(/^log$/);
  await window.page.keyboard.press('Enter');
  await window.page.keyboard.press('Control+S');
  await eventually(() => assert.match(read(overlay), /- data\.config\\\.json\.log\n/));
  await window.page.keyboard.press('Control+Z');
}

async function definition(window, { at, artifacts }) {
  await window.openFile(overlay, ...at(overlay, 'postgres'));
  await window.goToDefinition(/settings\.yaml/);
  await window.picture(join(artifacts, 'definition.png'));
}

async function rename(window, { at, read, artifacts }) {
  await window.openFile('base/web.yaml', ...at('base/web.yaml', 'web'));
  const input = window.page.locator('.rename-box .rename-input, .rename-box input').first();
  await eventually(async (wait) => {
    if (!(await input.isVisible())) await window.page.keyboard.press('F2');
    await input.fill('storefront', { timeout: wait });
    await window.picture(join(artifacts, 'rename.png'));
    await input.press('Enter', { timeout: wait });
  });
  // VS Code saves what a rename changes.
  await eventually(() => assert.match(read('overlays/prod/replicas.yaml'), /name: storefront\n/));
  await eventually(() => assert.match(read('base/web.yaml'), /kind: Deployment\nmetadata:\n {2}name: storefront\n/));
  assert.match(read('base/web.yaml'), /kind: Service\nmetadata:\n {2}name: web\n/, 'the Service has its name still');
}

async function renameFile(window, { read }) {
  await window.openFile('base/settings.yaml');
  await window.command('File: Reveal Active File in Explorer View');
  await window.renameSelected('settings.yaml', 'configuration.yaml');
  // VS Code asks before it takes over what an extension changes.
  await window.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'OK' }).click();
  await window.saveAll();
  await eventually(() => assert.match(read('base/kustomization.yaml'), /- configuration\.yaml\n/));
  assert.doesNotMatch(read('base/kustomization.yaml'), /settings/);
}

async function preview(window, { at, artifacts }) {
  await window.openFile(overlay, ...at(overlay, '2.4.1'));
  await window.command('Kustomize: Preview Rendered Output');
  const text = () => window.text(1);
  await eventually(async () => assert.match(await text(), /namespace: shop-prod/));
  await window.showLine(1, /shop\/web:2\.4\.1$/m);
  await window.page.keyboard.press('End');
  await window.page.keyboard.type('-typed');
  const typed = Date.now();
  await eventually(async () => assert.match(await text(), /shop\/web:2\.4\.1-typed/), 90_000, 20);
  const shown = Date.now() - typed;
  await window.picture(join(artifacts, 'preview-unsaved.png'));
  return `what is typed is there within ${shown} ms`;
}

async function source(window, { artifacts }) {
  await window.openFile(overlay);
  await window.command('Kustomize: Preview Rendered Output');
  await eventually(async () => assert.match(await window.text(1), /namespace: shop-prod/));
  const line = window.page.locator('.editor-group-container').nth(1).locator('.view-line', { hasText: 'replicas: 3' });
  await window.showLine(1, /replicas: 3/);
  await line.click();
  await eventually(async () => assert.match((await window.notes(1)).join(), /overlays.prod.replicas\.yaml:6/));
  await window.picture(join(artifacts, 'preview-source.png'));
  await window.page.keyboard.press('Enter');
  await eventually(async () => assert.match(await window.activeTab(), /^replicas\.yaml/));
  await window.page.locator('.part.statusbar', { hasText: /Ln 6, Col/ }).waitFor();
  // The editor's own way is the definition.
  await line.click();
  await window.goToDefinition(/^replicas\.yaml/);
}

async function followsCursor(window, { at, artifacts }) {
  await window.openFile(overlay);
  await window.command('Kustomize: Preview Rendered Output');
  await eventually(async () => assert.match(await window.text(1), /namespace: shop-prod/));
  await window.openFile('overlays/prod/replicas.yaml', ...at('overlays/prod/replicas.yaml', 'replicas: 3'));
  // The preview scrolls to what the line became.
  await eventually(async () => assert.match(await window.text(1), /replicas: 3/));
  await window.picture(join(artifacts, 'preview-follows.png'));
}

async function lens(window) {
  await window.openFile(overlay);
  await window.page.locator('.codelens-decoration a', { hasText: /^Preview$/ }).first().click();
  await eventually(async () => assert.match(await window.text(1), /namespace: shop-prod/));
}

async function hoverLink(window, { at }) {
  await window.openFile(overlay, ...at(overlay, 'data.config'));
  await window.hover(/Preview/);
  await window.page.locator('.monaco-hover:not(.hidden) a', { hasText: /^Preview$/ }).first().click();
  await eventually(async () => assert.match(await window.text(1), /postgres\.shop\.internal/));
}

async function diffBase(window, { artifacts }) {
  await window.openFile(overlay);
  await window.command('Kustomize: Diff Rendered Output Against Base');
  await window.page.locator('.diff-editor .line-insert, .monaco-diff-editor .line-insert').first().waitFor();
  await eventually(async () => assert.match(await window.text(), /namespace: shop-prod/));
  await window.picture(join(artifacts, 'diff-base.png'));
}

async function diffHead(window, { read, write, artifacts }) {
  write(overlay, read(overlay).replace('name: wbe', 'name: web'));
  await window.openFile(overlay);
  await window.command('Kustomize: Diff Rendered Output Against HEAD');
  await window.page.locator('.monaco-diff-editor').waitFor();
  // The patch has a target now.
  await eventually(async () => assert.match(await window.text(), /priorityClassName: high/));
  await window.picture(join(artifacts, 'diff-head.png'));
}

async function graph(window, { artifacts }) {
  await window.openFile(overlay);
  await window.command('Kustomize: Show Include Graph');
  const frame = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await frame.locator('#list li', { hasText: 'overlays/prod' }).first().waitFor();
  assert.ok(await frame.locator('#graph canvas').first().isVisible(), 'the graph is drawn');
  assert.ok(await frame.locator('html.dark').isVisible(), 'it is dark in a dark theme');
  await window.command('Preferences: Toggle between Light/Dark Themes');
  await frame.locator('html:not(.dark)').waitFor();
  await window.picture(join(artifacts, 'graph-light.png'));
  await window.command('Preferences: Toggle between Light/Dark Themes');
  await frame.locator('html.dark').waitFor();
  // By the keyboard alone: into the list, down to the overlay, and its file.
  const search = frame.locator('#search');
  await eventually(async (wait) => {
    await search.fill('', { timeout: wait });
    await search.pressSequentially('replicas.yaml', { timeout: wait });
    await search.press('Enter', { timeout: wait });
    await frame.locator('#details h2', { hasText: 'overlays/prod/replicas.yaml' }).waitFor({ timeout: wait });
  });
  await window.picture(join(artifacts, 'graph.png'));
  await frame.locator('#details button.open').press('Enter');
  await eventually(async () => assert.match(await window.activeTab(), /^replicas\.yaml/));
}

async function explain(window, { at, artifacts }) {
  await window.openFile('base/web.yaml', ...at('base/web.yaml', 'registry'));
  await window.command('Kustomize: Explain Value at Cursor');
  const frame = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await eventually(async () => assert.match(await frame.locator('body').innerText(), /2\.4\.1/));
  await window.picture(join(artifacts, 'explain.png'));
  await frame.locator('a', { hasText: 'overlays/prod/kustomization.yaml:7' }).click();
  await eventually(async () => assert.match(await window.activeTab(), /^kustomization\.yaml/));
  await window.page.locator('.part.statusbar', { hasText: /Ln 7, Col/ }).waitFor();
}

async function statusBar(window) {
  await window.openFile('base/web.yaml');
  const item = window.page.locator('.part.statusbar .statusbar-item[id="kustomize-lsp.kls.kls.verdict"]');
  await eventually(async () => assert.match(await item.innerText(), /3 roots build/));
  await window.openFile('overlays/staging/kustomization.yaml');
  await eventually(async () => assert.match(await item.innerText(), /overlays\/staging builds/));
  await item.click();
  await window.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'overlays/staging' }).waitFor();
  await window.page.keyboard.press('Escape');
}

async function checkWorkspace(window) {
  await window.command('Kustomize: Check Workspace');
  await window.page.locator('.notification-toast', { hasText: '3 kustomizations: 3 build' }).waitFor();
  await window.command('Notifications: Clear All Notifications');
}

async function walkthrough(window, { artifacts }) {
  await window.commandAndChoice('Welcome: Open Walkthrough...', 'Kustomize with kls');
  const steps = window.page.locator('.gettingStartedDetailsContent .getting-started-step');
  await steps.first().waitFor();
  assert.equal(await steps.count(), 5);
  const shown = window.page.locator('.getting-started-media img');
  await shown.waitFor();
  await eventually(async () => assert.ok(await shown.evaluate((image) => image.naturalWidth > 0), 'the picture is there'));
  await window.picture(join(artifacts, 'walkthrough.png'));
}

/** What is tried, in this order, in one window. */
export const scenarios = {
  open: (options) => Window.open(options),
  list: [
    { name: 'squiggle at a typo, and its message in Problems', run: diagnostics },
    { name: 'what Kubernetes does not have, in a file that is not open', run: schemas },
    { name: 'quick fix', run: quickFix },
    { name: 'hover a replacement: before and after', run: hover },
    { name: 'completion of a field path into embedded JSON', run: completion },
    { name: 'definition across files', run: definition },
    { name: 'rename a resource: in the file and in the overlay', run: rename },
    { name: 'rename a file: the entry that names it follows', run: renameFile },
    { name: 'live preview of unsaved text', run: preview },
    { name: 'from a rendered line to its source', run: source },
    { name: 'the preview follows the cursor of the source', run: followsCursor },
    { name: 'preview from a code lens', run: lens },
    { name: 'preview from a hover', run: hoverLink },
    { name: 'preview diff against the base', run: diffBase },
    { name: 'preview diff against HEAD', run: diffHead },
    { name: 'include graph, by keyboard, and to a file', run: graph },
    { name: 'explain a value', run: explain },
    { name: 'verdict in the status bar', run: statusBar },
    { name: 'walkthrough with its pictures', run: walkthrough },
    { name: 'check the workspace', run: checkWorkspace },
  ],
};
