// Bundles the extension, and with --tests its unit tests, which need no VS Code.
import { build, context } from 'esbuild';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const shared = { absWorkingDir: root, bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning', legalComments: 'linked' };
const extension = {
  ...shared, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'], minify: true, mainFields: ['module', 'main'],
};
const tests = {
  ...shared, outdir: 'dist/test', sourcemap: 'inline',
  entryPoints: readdirSync(join(root, 'test/unit')).filter((name) => name.endsWith('.test.ts')).map((name) => `test/unit/${name}`),
};

if (process.argv.includes('--watch')) {
  await (await context(extension)).watch();
} else {
  await build(extension);
  if (process.argv.includes('--tests')) await build(tests);
}
