// Packages the extension: one VSIX a platform, which carries kls, and one without,
// which finds it. usage: package.mjs [--out FOLDER] [TARGET…], all without TARGET.
// KLS_LDFLAGS is added to the flags of the linker.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const repository = join(here, '../..');
const systems = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const processors = { x64: 'amd64', arm64: 'arm64' };
const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64', 'universal'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string', default: join(here, 'out') } } });
const wanted = positionals.length ? positionals : targets;
const unknown = wanted.filter((target) => !targets.includes(target));
if (unknown.length) {
  console.error(`unknown: ${unknown.join(', ')}; there are ${targets.join(', ')}`);
  process.exit(2);
}

execFileSync(process.execPath, [join(here, 'scripts/build.mjs')], { stdio: 'inherit' });
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const stage = mkdtempSync(join(tmpdir(), 'kls-package-'));
try {
  fill(stage);
  for (const target of wanted) pack(target, join(out, `kls-${target}-${version}.vsix`));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Puts everything into a folder that is the same for all platforms. */
function fill(folder) {
  for (const file of ['CHANGELOG.md', 'dist/extension.js', 'dist/licenses.txt', 'media/icon.png']) cpSync(join(here, file), join(folder, file));
  cpSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'));
  // The marketplace shows pictures from the network alone.
  writeFileSync(join(folder, 'README.md'), readFileSync(join(here, 'README.md'), 'utf8')
    .replaceAll('](../../docs/images/', '](https://raw.githubusercontent.com/kustomize-lsp/kls/main/docs/images/'));
  const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  manifest.contributes.configuration.properties['kls.rules'].properties = rules();
  manifest.contributes.configuration.properties['kls.classes'].properties = classes();
  delete manifest.devDependencies;
  delete manifest.scripts;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, '.vscodeignore'), ''); // all that is here belongs in it
  for (const { media } of manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps)) {
    // The walkthrough shows the pictures of the README.
    const picture = join(repository, 'docs/images', media.image.replace('media/', 'vscode-'));
    if (!existsSync(picture)) throw new Error(`no picture: ${picture}`);
    cpSync(picture, join(folder, media.image));
  }
}

/** The rules with what they find, for completion in settings, from the JSON Schema of .kls.yaml, which is generated. */
function rules() {
  const schema = JSON.parse(readFileSync(join(repository, 'docs/schema/kls.json'), 'utf8'));
  // No default: VS Code would write all of them where one is changed.
  return Object.fromEntries(Object.entries(schema.properties.rules.properties)
    .map(([name, rule]) => [name, { enum: rule.enum, description: `${rule.description} (${rule.default})` }]));
}

/** The classes of rules: the headings of their list, which is generated. */
function classes() {
  const list = readFileSync(join(repository, 'docs/rules/README.md'), 'utf8');
  return Object.fromEntries([...list.matchAll(/^## (\w+)$/gm)].map(([, name]) => [name, { type: 'boolean', description: `Rules of the class ${name}` }]));
}

function pack(target, file) {
  rmSync(join(stage, 'bin'), { recursive: true, force: true });
  if (target !== 'universal') buildServer(target);
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', file,
    ...(target === 'universal' ? [] : ['--target', target])], { cwd: stage, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(file);
}

function buildServer(target) {
  const [system, processor] = target.split('-');
  const name = system === 'win32' ? 'kls.exe' : 'kls';
  const flags = `-s -w ${process.env.KLS_LDFLAGS ?? ''}`.trim();
  execFileSync('go', ['build', '-trimpath', '-ldflags', flags, '-o', join(stage, 'bin', name), './cmd/kls'], {
    cwd: repository, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0', GOOS: systems[system], GOARCH: processors[processor] },
  });
}
