// What is refused in a workspace that is not trusted, and works once it is.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, Window } from './vscode.mjs';

const overlay = 'overlays/prod/kustomization.yaml';

/** Puts into the workspace what somebody would who wants a program of theirs to run. */
function prepare({ folder, scratch }) {
  const marks = { server: join(scratch, 'server-ran'), git: join(scratch, 'git-ran') };
  const evil = (name, mark) => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "$@" >>"${mark}"\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const server = evil('kls', marks.server);
  mkdirSync(join(folder, '.vscode'));
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify({ 'kls.path': server }));
  // The git that the server finds tells that it was run.
  mkdirSync(join(scratch, 'bin'));
  writeFileSync(join(scratch, 'bin/git'), `#!/bin/sh\necho "$@" >>"${marks.git}"\nexec /usr/bin/git "$@"\n`, { mode: 0o755 });
  // VS Code asks a login shell for PATH.
  writeFileSync(join(scratch, '.bash_profile'), `export PATH="${join(scratch, 'bin')}:$PATH"\n`);
  return marks;
}

let marks;

async function service(window, { at, artifacts }) {
  await window.page.locator('.part.statusbar', { hasText: 'Restricted Mode' }).waitFor();
  await window.openFile(overlay, ...at(overlay, 'wbe'));
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
  await window.picture(join(artifacts, 'restricted.png'));
}

async function program(window) {
  await window.openFile(overlay);
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor(); // a server runs
  assert.ok(!existsSync(marks.server), 'the program that the workspace names was started');
}

async function head(window) {
  const offered = await window.commandsFor('Kustomize: Diff Rendered Output', 'Diff Rendered Output Against Base');
  assert.ok(!offered.some((title) => title.includes('HEAD')), offered.join('\n'));
  assert.ok(!existsSync(marks.git), 'git was run');
  // A document of that kind is refused, too, whatever opens it.
  await window.openFile(overlay);
  await window.command('Kustomize: Diff Rendered Output Against Base');
  await window.page.locator('.monaco-diff-editor').waitFor();
  assert.ok(!existsSync(marks.git), 'git was run');
}

/** This and the next are the controls: the others would pass, too, if nothing of it were ever started. */
async function trust(window) {
  await window.command('Workspaces: Manage Workspace Trust');
  await window.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
  await eventually(() => assert.ok(existsSync(marks.server), 'the program that the workspace names was not started'));
}

async function trustedHead(window, { write }) {
  write('.vscode/settings.json', '{}');
  await window.openFile(overlay);
  await window.page.locator('.editor-instance .squiggly-warning').first().waitFor();
  await window.command('Kustomize: Diff Rendered Output Against HEAD');
  await window.page.locator('.monaco-diff-editor').waitFor();
  assert.ok(existsSync(marks.git), 'git was not run');
}

/** What is tried, in this order, in one window. */
export const scenarios = {
  keepFiles: true,
  open: (options) => {
    marks = prepare(options);
    return Window.open({ ...options, trusted: false, path: `${join(options.scratch, 'bin')}:/usr/bin:/bin`, shell: '/bin/bash' });
  },
  list: [
    { name: 'restricted mode: mistakes are told', run: service },
    { name: 'restricted mode: the program of the workspace is not started', run: program },
    { name: 'restricted mode: git is not run for HEAD', run: head },
    { name: 'trusted: the program of the workspace is started', run: trust },
    { name: 'trusted: git is run for HEAD', run: trustedHead },
  ],
};
