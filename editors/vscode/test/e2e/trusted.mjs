// What works in an ordinary workspace.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventually, pause, Window } from './vscode.mjs';

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

async function quickFix(window, { at, read, artifacts }) {
  await window.openFile(overlay, ...at(overlay, 'wbe'));
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
  const offer = window.page.locator('.action-widget .monaco-list-row', { hasText: /web/ }).and(window.page.locator('.focused'));
  await eventually(async () => {
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Control+.');
    await offer.waitFor({ timeout: 3000 });
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

async function definition(window, { at, artifacts }) {
  await window.openFile(overlay, ...at(overlay, 'postgres'));
  await eventually(async () => {
    await window.page.keyboard.press('F12');
    await pause(700);
    assert.match(await window.activeTab(), /settings\.yaml/);
  });
  await window.picture(join(artifacts, 'definition.png'));
}

/** What is tried, in this order, in one window. */
export const scenarios = {
  open: (options) => Window.open(options),
  list: [
    { name: 'squiggle at a typo, and its message in Problems', run: diagnostics },
    { name: 'quick fix', run: quickFix },
    { name: 'hover a replacement: before and after', run: hover },
    { name: 'definition across files', run: definition },
  ],
};
