// Renders every kustomization below a folder with the server as WebAssembly, and with the
// native kls, and holds the texts against each other. Usage: render.mjs FOLDER [KLS]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { startServer } from './host.mjs';

const folder = resolve(process.argv[2] ?? '../examples');
const native = process.argv[3] ?? new URL('../../bin/kls', import.meta.url).pathname;
if (!existsSync(native)) throw new Error(`${native} is not there: run make build first`);

const files = filesBelow(folder);
const roots = files.filter((file) => /\/(kustomization\.ya?ml|Kustomization)$/.test(file)).filter(isRoot);
const server = await startServer();
for (const file of files) server.putBytes(`/workspace/${relative(folder, file)}`, new Uint8Array(readFileSync(file)));
await server.initialize('file:///workspace');

let [same, both, differ, wasmTime, nativeTime] = [0, 0, 0, 0, 0];
for (const file of roots) {
  const dir = relative(folder, dirname(file));
  let started = performance.now();
  const expected = spawnSync(native, ['build', join(folder, dir)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  nativeTime += performance.now() - started;
  started = performance.now();
  const preview = await server.run('kls.preview', { uri: `file:///workspace/${relative(folder, file).split('/').map(encodeURIComponent).join('/')}` });
  wasmTime += performance.now() - started;
  const builds = preview?.verdict === 'builds';
  if (expected.status !== 0 && !builds) both++;
  else if (expected.status === 0 && builds && expected.stdout === preview.text) same++;
  else {
    differ++;
    console.log(`${dir}: native ${expected.status === 0 ? 'builds' : 'fails'}, WebAssembly ${preview?.verdict ?? 'knows no root'}${builds && expected.status === 0 ? ', other bytes' : ''}`);
  }
}
console.log(`${same} roots with the same bytes, ${both} refused by both, ${differ} differ; ${(wasmTime / 1000).toFixed(1)} s as WebAssembly, ${(nativeTime / 1000).toFixed(1)} s as a process for each`);
await server.stop();
process.exit(differ > 0 || same === 0 ? 1 : 0);

function isRoot(file) {
  return !/^kind: *(Component|.*toolkit)/m.test(readFileSync(file, 'utf8'));
}

function filesBelow(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? filesBelow(path) : statSync(path).isFile() ? [path] : [];
  });
}
