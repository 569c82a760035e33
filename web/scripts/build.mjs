// Builds the playground into web/dist: the server as WebAssembly, compressed, and the page.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const top = dirname(web);
const dist = join(web, 'dist');
const go = process.env.GO ?? 'go';

/** The examples in the order of the list, with the file that is open first. */
const examples = [
  ['mistakes', 'Mistakes that kustomize passes over', 'overlays/prod/kustomization.yaml'],
  ['shop', 'A shop with two overlays', 'overlays/prod/kustomization.yaml'],
  ['structured-data/story-1', 'Replacements into embedded JSON', 'kustomization.yaml'],
  ['structured-data/story-2', 'mergeValues', 'overlay/kustomization.yaml'],
];

if (!process.env.PAGE_ONLY) rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
if (!process.env.PAGE_ONLY) buildServer();
await buildPage();

function buildServer() {
  const wasm = join(dist, 'kls.wasm');
  execFileSync(go, ['build', '-trimpath', '-ldflags=-s -w', '-o', wasm, './cmd/kls-wasm'], { cwd: top, stdio: 'inherit', env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' } });
  const text = readFileSync(wasm);
  const compressed = {
    'kls.wasm.gz': gzipSync(text, { level: 9 }),
    'kls.wasm.br': brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: process.env.QUICK ? 5 : 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  };
  for (const [name, bytes] of Object.entries(compressed)) {
    writeFileSync(join(dist, name), bytes);
    console.log(`${name}: ${(bytes.length / 2 ** 20).toFixed(2)} MiB`);
  }
}

async function buildPage() {
  const runtime = join(execFileSync(go, ['env', 'GOROOT'], { encoding: 'utf8' }).trim(), 'lib', 'wasm', 'wasm_exec.js');
  const common = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning' };
  await build({ ...common, entryPoints: [join(web, 'src', 'app.ts')], format: 'esm', outfile: join(dist, 'app.js'), plugins: [examplesPlugin()] });
  await build({ ...common, entryPoints: [join(web, 'src', 'worker.ts')], format: 'iife', outfile: join(dist, 'worker.js'), banner: { js: readFileSync(runtime, 'utf8') } });
  for (const name of ['index.html', 'graph.html', 'app.css']) copyFileSync(join(web, 'src', name), join(dist, name));
}

function examplesPlugin() {
  return {
    name: 'examples',
    setup(build) {
      build.onResolve({ filter: /^kls:examples$/ }, ({ path }) => ({ path, namespace: 'kls' }));
      build.onLoad({ filter: /.*/, namespace: 'kls' }, () => ({ contents: JSON.stringify(readExamples()), loader: 'json' }));
    },
  };
}

function readExamples() {
  return Object.fromEntries(examples.map(([path, title, open]) => {
    const folder = join(top, 'examples', path);
    const files = Object.fromEntries(filesBelow(folder).map((file) => [relative(folder, file).split(sep).join('/'), readFileSync(file, 'utf8')]));
    if (!(open in files)) throw new Error(`the example ${path} has no ${open}`);
    return [path, { title, open, files }];
  }));
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]));
}
