// The server of dist/kls.wasm in Node, as the worker runs it in a browser: files are
// handed in, messages go in and out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const dist = new URL('../dist', import.meta.url).pathname;

/** Starts a server and returns how to talk to it. */
export async function startServer({ log = () => {} } = {}) {
  const root = execFileSync(process.env.GO ?? 'go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  await import(pathToFileURL(join(root, 'lib', 'wasm', 'wasm_exec.js')).href);
  const waiting = new Map();
  const notifications = [];
  let next = 0;
  const host = {
    log,
    receive(text) {
      const message = JSON.parse(text);
      if (message.id !== undefined && message.method === undefined) {
        const { resolve, reject } = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
      } else if (message.id !== undefined) {
        host.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: null }));
      } else {
        notifications.push(message);
      }
    },
  };
  const isReady = new Promise((resolve) => { host.ready = resolve; });
  const ended = new Promise((resolve) => { host.ended = resolve; });
  globalThis.klsHost = host;
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(readFileSync(join(dist, 'kls.wasm')), go.importObject);
  go.run(instance);
  await isReady;
  const notify = (method, params) => host.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  const request = (method, params) => new Promise((resolve, reject) => {
    const id = ++next;
    waiting.set(id, { resolve, reject });
    host.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  });
  return {
    put: (path, text) => host.put(path, new TextEncoder().encode(text)), putBytes: (path, bytes) => host.put(path, bytes),
    remove: (path) => host.remove(path), notify, request, notifications, ended,
    run: (command, argument) => request('workspace/executeCommand', { command, arguments: [argument] }),
    async initialize(rootUri) {
      await request('initialize', { processId: null, rootUri, capabilities: { textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] } } } });
      notify('initialized', {});
    },
    async stop() {
      await request('shutdown');
      notify('exit');
      return ended;
    },
  };
}
