// Packages the extension: one VSIX a platform, which carries kls, and one without,
// which finds it. usage: package.mjs [--out FOLDER] [TARGET…], all without TARGET.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const repository = join(here, '../..');
const systems = { linux: 'linux', darwin: 'darwin', win32: 'windows', alpine: 'linux' };
const processors = { x64: 'amd64', arm64: 'arm64' };
const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64', 'universal'];
const pictures = ['diagnostics', 'quickfix', 'hover', 'preview', 'graph'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string', default: join(here, 'out') } } });
const wanted = positionals.length ? positionals : targets;
const unknown = wanted.filter((target) => !targets.includes(target));
if (unknown.length) {
  console.error(`unknown: ${unknown.join(', ')}; there are ${targets.join(', ')}`);
  process.exit(2);
}

execFileSync(process.execPath, [join(here, 'scripts/build.mjs')], { stdio: 'inherit' });
copyFileSync(join(repository, 'LICENSE'), join(here, 'LICENSE'));
for (const picture of pictures) {
  const file = join(repository, 'docs/images', `vscode-${picture}.png`);
  if (existsSync(file)) copyFileSync(file, join(here, 'media', `${picture}.png`));
  else console.warn(`no picture: ${file}`);
}
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
for (const target of wanted) {
  rmSync(join(here, 'bin'), { recursive: true, force: true });
  if (target !== 'universal') buildServer(target);
  const file = join(out, `kls-${target}-${version}.vsix`);
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', file,
    '--baseContentUrl', 'https://github.com/kustomize-lsp/kls/blob/main/editors/vscode',
    '--baseImagesUrl', 'https://raw.githubusercontent.com/kustomize-lsp/kls/main/editors/vscode',
    ...(target === 'universal' ? [] : ['--target', target])], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(file);
}
rmSync(join(here, 'bin'), { recursive: true, force: true });

function buildServer(target) {
  const [system, processor] = target.split('-');
  const name = system === 'win32' ? 'kls.exe' : 'kls';
  execFileSync('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(here, 'bin', name), './cmd/kls'], {
    cwd: repository, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0', GOOS: systems[system], GOARCH: processors[processor] },
  });
}
