// Bundles the extension, and with --tests its unit tests, which need no VS Code.
import { build, context } from 'esbuild';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const shared = { absWorkingDir: root, bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };
const extension = {
  ...shared, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'], minify: true, metafile: true, mainFields: ['module', 'main'],
};
const tests = {
  ...shared, outdir: 'dist/test', sourcemap: 'inline',
  entryPoints: readdirSync(join(root, 'test/unit')).filter((name) => name.endsWith('.test.ts')).map((name) => `test/unit/${name}`),
};

if (process.argv.includes('--watch')) {
  await (await context(extension)).watch();
} else {
  const { metafile } = await build(extension);
  writeFileSync(join(root, 'dist/licenses.txt'), licenses(Object.keys(metafile.inputs)));
  if (process.argv.includes('--tests')) await build(tests);
}

/** The licenses of the packages that are part of the bundle. */
function licenses(inputs) {
  const folders = new Set(inputs.map((input) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[sc]e/i.test(entry) && existsSync(join(root, folder, entry)));
    if (!file) throw new Error(`${name} has no license file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  }).join(`\n${'-'.repeat(80)}\n\n`);
}
