// Drives the extension in a real VS Code as a user would, and prints a line for each thing tried.
// usage: run.mjs CODE-SERVER-FOLDER VSIX [FILTER]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { scenarios as ordinary } from './trusted.mjs';
import { scenarios as restricted } from './restricted.mjs';

const [codeServer, vsix, filter = ''] = process.argv.slice(2);
if (!codeServer || !existsSync(vsix ?? '')) {
  console.error('usage: run.mjs CODE-SERVER-FOLDER VSIX [FILTER]');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const artifacts = join(here, '../artifacts');
rmSync(artifacts, { recursive: true, force: true });
mkdirSync(artifacts, { recursive: true });
let failed = 0;

for (const group of [ordinary, restricted]) {
  const scratch = mkdtempSync(join(tmpdir(), 'kls-vscode-'));
  try {
    await runGroup(group, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
process.exit(failed ? 1 : 0);

async function runGroup(group, scratch) {
  const chosen = group.list.filter(({ name }) => name.includes(filter));
  if (!chosen.length) return;
  const folder = join(scratch, 'shop');
  cpSync(join(here, 'shop'), folder, { recursive: true });
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=all');
  const context = { folder, scratch, artifacts, read: (path) => readFileSync(join(folder, path), 'utf8'), at: (path, text) => placeOf(folder, path, text) };
  const window = await group.open({ codeServer, vsix, folder, scratch });
  try {
    for (const { name, run } of chosen) {
      try {
        await window.closeAll();
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
