// A repository that Flux deploys.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, Window } from './vscode.mjs';

const object = 'apps/web.yaml';
const service = 'storefront/service.yaml';

async function hoverOnVariable(window, { at, artifacts }) {
  const [line, column] = at(service, 'PORT');
  await window.openFile(service, line, column + 1);
  await window.hover(/8080 in Kustomization\/apps\/web, from apps\/web\.yaml/);
  await window.picture(join(artifacts, 'fleet-hover.png'));
}

async function preview(window, { at, artifacts }) {
  await window.openFile(object, ...at(object, 'targetNamespace'));
  await window.command('Kustomize: Preview Rendered Output');
  await eventually(async () => {
    const text = await window.text(1);
    assert.match(text, /namespace: shop/);
    assert.match(text, /- port: 8080/);
  });
  await window.picture(join(artifacts, 'fleet-preview.png'));
}

/** What is wrong with the file of a deployment follows the text of its object before that is saved. */
async function missingVariable(window, { at, artifacts }) {
  await window.openFile(object, ...at(object, 'PORT'));
  await window.page.keyboard.type('X');
  await window.openFile(service);
  await window.page.locator('.squiggly-error').first().waitFor();
  const rows = await window.problems();
  assert.ok(rows.some((row) => /nothing supplies the variable PORT/.test(row)), rows.join('\n'));
  await window.picture(join(artifacts, 'fleet-missing.png'));
}

async function renameFolder(window, { read, artifacts }) {
  await window.openFile(object);
  await window.command('Explorer: Focus on Folders View');
  await window.renameSelected('storefront', 'shopfront');
  await window.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'OK' }).click();
  await window.saveAll();
  await eventually(() => assert.match(read(object), /path: \.\/shopfront\n/));
  await window.picture(join(artifacts, 'fleet-rename.png'));
}

/** What is tried, in this order, in one window. */
export const scenarios = {
  open: (options) => Window.open(options),
  tree: (folder, kls) => execFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../fleet.sh'), [folder, kls]),
  list: [
    { name: 'Flux: hover on a variable', run: hoverOnVariable },
    { name: 'Flux: preview of what a Kustomization deploys', run: preview },
    { name: 'Flux: a missing variable is underlined while the Kustomization is edited', run: missingVariable },
    { name: 'Flux: a renamed folder has its new name in spec.path', run: renameFolder },
  ],
};
