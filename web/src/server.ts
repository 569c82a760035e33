// The worker as a transport of the editor's client, and the way of files into it.
import type { Transport } from '@codemirror/lsp-client';
import type { Files } from './tree';

export const folder = '/workspace';
export const rootUri = `file://${folder}`;

export function uriOf(path: string): string {
  return `${rootUri}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The path below the folder that a URI names; undefined for any other. */
export function pathOf(uri: string): string | undefined {
  const prefix = `${rootUri}/`;
  return uri.startsWith(prefix) ? decodeURIComponent(uri.slice(prefix.length)) : undefined;
}

/** Starts the server. ended is called when it stops by itself. */
export class Server implements Transport {
  private readonly worker: Worker;
  private readonly handlers = new Set<(message: string) => void>();

  constructor(ended: (reason: string) => void) {
    this.worker = new Worker('worker.js');
    this.worker.onmessage = ({ data }: MessageEvent<object>) => {
      if ('ended' in data) ended(String(data.ended));
      else for (const handler of this.handlers) handler(JSON.stringify(data));
    };
    this.worker.onerror = (event) => ended(event.message);
  }

  send(message: string): void {
    this.worker.postMessage(JSON.parse(message));
  }

  subscribe(handler: (message: string) => void): void {
    this.handlers.add(handler);
  }

  unsubscribe(handler: (message: string) => void): void {
    this.handlers.delete(handler);
  }

  /** Hands in files and takes others out. The server learns of it by didChangeWatchedFiles. */
  change(put: Files, remove: readonly string[] = []): void {
    const absolute = Object.fromEntries([...put].map(([path, text]) => [`${folder}/${path}`, text]));
    this.worker.postMessage({ put: absolute, remove: remove.map((path) => `${folder}/${path}`) });
  }

  stop(): void {
    this.worker.terminate();
  }
}
