// The files of the playground, by their path below the workspace folder, with forward
// slashes: how they are shared by link, and read from a zip or a folder. Nothing here
// needs a browser's page.
import { strFromU8, strToU8, unzip, unzlibSync, zlibSync, type Unzipped } from 'fflate';

export type Files = ReadonlyMap<string, string>;

/** What the playground takes: enough for any tree that one wants to show, too little to stop the page. */
export const limits = {
  files: 2000,
  /** Of one file, in UTF-16 code units. */
  fileSize: 1 << 20,
  /** Of all files, in UTF-16 code units. */
  totalSize: 16 << 20,
  /** Of what is shared by link, in characters of the link. */
  link: 64 << 10,
} as const;

/** An input that cannot be used; the message is for the person. */
export class InputError extends Error {}

const linkVersion = '1';

/** Returns the fragment of a link that holds the files, without `#`. */
export function toFragment(files: Files, open: string): string {
  const packed = zlibSync(strToU8(JSON.stringify({ files: Object.fromEntries(files), open })), { level: 9 });
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  const fragment = `${linkVersion}.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  if (fragment.length > limits.link) {
    throw new InputError(`These files are too large for a link (${kib(fragment.length)}; a link holds ${kib(limits.link)}). Share a smaller tree.`);
  }
  return fragment;
}

/** Reads what toFragment made. */
export function fromFragment(fragment: string): { files: Map<string, string>; open: string } {
  const [version, encoded] = fragment.split('.', 2);
  if (version !== linkVersion || !encoded) throw new InputError('This link was not made by the playground, or by a newer version of it.');
  if (encoded.length > limits.link) throw new InputError(`This link is too long (${kib(encoded.length)}; a link holds ${kib(limits.link)}).`);
  let read: unknown;
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    // The output has a fixed size, so that a small link cannot fill the memory.
    const room = new Uint8Array(limits.totalSize);
    read = JSON.parse(strFromU8(unzlibSync(packed, { out: room })));
  } catch {
    throw new InputError('This link is damaged: a part of it is missing or was changed.');
  }
  const { files, open } = read as { files?: unknown; open?: unknown };
  if (typeof files !== 'object' || files === null) throw new InputError('This link holds no files.');
  return { files: checked(Object.entries(files)), open: typeof open === 'string' ? open : '' };
}

/** Reads the texts of a zip archive; a folder that holds everything is left out of the paths. */
export async function fromZip(data: Uint8Array): Promise<{ files: Map<string, string>; skipped: number }> {
  let skipped = 0;
  let total = 0;
  const entries = await new Promise<Unzipped>((resolve, reject) => {
    unzip(data, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith('/')) return false;
        total += originalSize;
        const taken = originalSize <= limits.fileSize && total <= limits.totalSize && !isHidden(name);
        if (!taken) skipped++;
        return taken;
      },
    }, (error, entries) => (error ? reject(new InputError(`The archive cannot be read: ${error.message}`)) : resolve(entries)));
  });
  const texts = Object.entries(entries).flatMap(([path, bytes]) => {
    const text = textOf(bytes);
    if (text === undefined) skipped++;
    return text === undefined ? [] : [[path, text] as const];
  });
  return { files: checked(withoutCommonFolder(texts)), skipped };
}

/** Checks files from outside against the limits, and makes their paths plain. */
export function checked(entries: Iterable<readonly [string, unknown]>): Map<string, string> {
  const files = new Map<string, string>();
  let total = 0;
  for (const [path, text] of entries) {
    if (typeof text !== 'string') throw new InputError(`${path} is not a text.`);
    const problem = pathProblem(path);
    if (problem) throw new InputError(problem);
    total += text.length;
    if (text.length > limits.fileSize) throw new InputError(`${path} is too large (${kib(text.length)}; the playground takes ${kib(limits.fileSize)} a file).`);
    if (total > limits.totalSize) throw new InputError(`These files are too large together; the playground takes ${kib(limits.totalSize)}.`);
    files.set(path, text);
    if (files.size > limits.files) throw new InputError(`These are too many files; the playground takes ${limits.files}.`);
  }
  return files;
}

/** Says what is wrong with the path of a file, or nothing. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'A file needs a name.';
  if (path.length > 1000) return 'A path has at most 1,000 characters.';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part))) {
    return `${path.slice(0, 80)} is not a path below the workspace folder.`;
  }
  return undefined;
}

/** Decodes UTF-8; undefined for what is no text. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Tells whether a path leads through a tool's own folder, such as .git. */
export function isHidden(path: string): boolean {
  return /(^|\/)(\.git|node_modules|__MACOSX)\//.test(path);
}

export function withoutCommonFolder(entries: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const first = entries[0]?.[0].split('/', 1)[0];
  const common = first !== undefined && entries.every(([path]) => path.startsWith(`${first}/`));
  return common ? entries.map(([path, text]) => [path.slice(first.length + 1), text] as const) : [...entries];
}

function kib(size: number): string {
  return `${Math.ceil(size / 1024).toLocaleString('en')} KiB`;
}
