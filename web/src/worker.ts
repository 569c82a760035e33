// The language server in a Web Worker. Messages with `jsonrpc` belong to the protocol
// and are passed on as they are, so any client whose transport is a Worker can talk to
// it. Two further messages hand in files: {put: {path: text or bytes}} and
// {remove: [path]}, with absolute paths. Nothing is fetched but the server itself.

interface Host {
  ready(): void;
  receive(text: string): void;
  log(text: string): void;
  ended(reason: string): void;
  send?(text: string): void;
  put?(path: string, data: Uint8Array): void;
  remove?(path: string): void;
}

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface FileMessage {
  readonly put?: Readonly<Record<string, string | Uint8Array>>;
  readonly remove?: readonly string[];
}

/** What came before the server was there. */
const early: unknown[] = [];
const encoder = new TextEncoder();
let isReady = false;

const host: Host = {
  ready() {
    isReady = true;
    for (const message of early.splice(0)) deliver(message);
  },
  receive: (text) => postMessage(JSON.parse(text)),
  log: (text) => console.info(`kls: ${text.trimEnd()}`),
  ended: (reason) => postMessage({ ended: reason }),
};
(globalThis as { klsHost?: Host }).klsHost = host;

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (isReady) deliver(data);
  else early.push(data);
});

function deliver(message: unknown): void {
  if (typeof message !== 'object' || message === null) return;
  if ('jsonrpc' in message) {
    host.send?.(JSON.stringify(message));
    return;
  }
  const { put = {}, remove = [] } = message as FileMessage;
  for (const path of remove) host.remove?.(path);
  for (const [path, data] of Object.entries(put)) host.put?.(path, typeof data === 'string' ? encoder.encode(data) : data);
}

/** Fetches the server, compressed as well as this browser can read. */
async function fetchServer(): Promise<Response> {
  for (const [format, name] of [['brotli', 'kls.wasm.br'], ['gzip', 'kls.wasm.gz']] as const) {
    let decompress: DecompressionStream;
    try {
      decompress = new DecompressionStream(format as CompressionFormat);
    } catch {
      continue; // this browser does not know the format
    }
    const answer = await fetch(new URL(name, location.href));
    if (!answer.ok || !answer.body) throw new Error(`${name} cannot be loaded: ${answer.status} ${answer.statusText}`);
    return new Response(answer.body.pipeThrough(decompress), { headers: { 'content-type': 'application/wasm' } });
  }
  throw new Error('This browser cannot decompress streams. Use a version from 2023 or later.');
}

async function start(): Promise<void> {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetchServer(), go.importObject);
  await go.run(instance);
}

start().catch((reason: unknown) => host.ended(String(reason instanceof Error ? reason.message : reason)));
