// Drives the extension in a real VS Code as a user would, and prints a line for each thing tried.
// usage: run.mjs CODE-SERVER-FOLDER VSIX UNIVERSAL-VSIX KLS [FILTER]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { scenarios as beside } from './beside.mjs';
import { scenarios as fleet } from './fleet.mjs';
import { scenarios as ordinary } from './trusted.mjs';
import { scenarios as restricted } from './restricted.mjs';
import { scenarios as universalOnly } from './universal.mjs';

const [codeServer, vsix, universal, kls, filter = ''] = process.argv.slice(2);
if (![codeServer, vsix, universal, kls].every((file) => existsSync(file ?? ''))) {
  console.error('usage: run.mjs CODE-SERVER-FOLDER VSIX UNIVERSAL-VSIX KLS [FILTER]');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const artifacts = join(here, '../artifacts');
rmSync(artifacts, { recursive: true, force: true });
mkdirSync(artifacts, { recursive: true });
let failed = 0;

for (const group of [ordinary, fleet, beside, restricted, universalOnly]) {
  const scratch = mkdtempSync(join(tmpdir(), 'kls-vscode-'));
  try {
    await runGroup(group, scratch);
  } catch (error) {
    failed++;
    console.log(`FAIL vscode: ${stripVTControlCharacters(error.stack)}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
process.exit(failed ? 1 : 0);

async function runGroup(group, scratch) {
  const chosen = group.list.filter(({ name }) => name.includes(filter));
  if (!chosen.length) return;
  const folder = join(scratch, 'shop');
  if (group.tree) group.tree(folder, kls);
  else cpSync(join(here, 'shop'), folder, { recursive: true });
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'core.fsmonitor=false', ...args]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=all');
  const context = {
    folder, scratch, artifacts, kls,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write: (path, text) => writeFileSync(join(folder, path), text),
    at: (path, text) => placeOf(folder, path, text),
  };
  const window = await group.open({ codeServer, vsix, universal, folder, scratch });
  try {
    for (const { name, run } of chosen) {
      try {
        await window.closeAll();
        git('checkout', '--quiet', '.');
        if (!group.keepFiles) git('clean', '--quiet', '-d', '--force');
        const figure = await run(window, context);
        console.log(`ok vscode: ${name}${figure ? ` (${figure})` : ''}`);
      } catch (error) {
        failed++;
        console.log(`FAIL vscode: ${name}: ${stripVTControlCharacters(error.message)}`);
        await window.picture(join(artifacts, `failed-${name.replaceAll(/[^a-z]+/gi, '-')}.png`));
      }
    }
  } finally {
    await window.close();
  }
}

/** The 1-based line and column of a text in a file on the disk. */
function placeOf(folder, path, text) {
  const content = readFileSync(join(folder, path), 'utf8');
  const offset = content.indexOf(text);
  if (offset < 0) throw new Error(`${path} has no ${text}`);
  const before = content.slice(0, offset).split('\n');
  return [before.length, before.at(-1).length + 1];
}
