// Beside the YAML extension: what it checks is not told twice. The one here has its
// name and does nothing, since the real one is in no registry of packages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { eventually, Window } from './vscode.mjs';

const file = 'base/api.yaml';

/** Packages an extension of the name. */
function standIn(scratch) {
  const folder = join(scratch, 'vscode-yaml');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({
    name: 'vscode-yaml', publisher: 'redhat', version: '1.0.0', engines: { vscode: '^1.91.0' }, main: './main.js', activationEvents: ['onLanguage:yaml'],
    contributes: { configuration: { properties: { 'yaml.validate': { type: 'boolean', default: true } } } },
  }));
  writeFileSync(join(folder, 'main.js'), 'exports.activate = () => {};');
  writeFileSync(join(folder, '.vscodeignore'), '');
  const vsix = join(scratch, 'vscode-yaml.vsix');
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', vsix], { cwd: folder, stdio: 'pipe' });
  return vsix;
}

/** A mistake of kustomize's, and one that a schema finds. */
function makeMistakes({ read, write }) {
  write(file, read(file).replace('  selector:', '  replicsa: 2\n  selector:'));
}

async function leavesSchemas(window, context) {
  makeMistakes(context);
  await window.openFile('overlays/prod/kustomization.yaml');
  const rows = await eventually(async () => {
    const found = await window.problems();
    assert.ok(found.some((row) => /patch-no-target/.test(row)), found.join('\n'));
    return found;
  });
  assert.ok(!rows.some((row) => /unknown-field-in-resource/.test(row)), rows.join('\n'));
}

/** The control, and the other way round: the extension is there and checks nothing. */
async function takesOver(window, context) {
  makeMistakes(context);
  await window.openFile('overlays/prod/kustomization.yaml');
  mkdirSync(join(context.folder, '.vscode'));
  context.write('.vscode/settings.json', JSON.stringify({ 'yaml.validate': false }));
  await eventually(async () => {
    const rows = await window.problems();
    assert.ok(rows.some((row) => /unknown-field-in-resource/.test(row)), rows.join('\n'));
  });
}

/** What is tried, in this order, in one window. */
export const scenarios = {
  open: async (options) => Window.open({ ...options, others: [standIn(options.scratch)] }),
  list: [
    { name: 'beside the YAML extension: schemas of resources are its own', run: leavesSchemas },
    { name: 'beside the YAML extension: not where it does not validate', run: takesOver },
  ],
};
