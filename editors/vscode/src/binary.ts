// Finds the kls program. Only absolute paths are ever returned: a name alone would
// be looked up in the working folder, which on Windows comes before PATH, and so a
// workspace could put its own program there.
import * as path from 'node:path';

/** What the search sees of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The value of PATH. */
  readonly searchPath: string;
  /** Whether there is a file that can be started. */
  isProgram(file: string): boolean;
}

/** Where kls may be. */
export interface Places {
  /** The setting `kls.path`; empty without. */
  readonly configured: string;
  /** The folder of the extension. */
  readonly extension: string;
}

/** Where kls is, or why it was not found. */
export type Found = { readonly file: string; readonly bundled: boolean } | { readonly missing: string };

/** How kls is installed where the extension does not bring it. */
export const installCommand = 'go install github.com/kustomize-lsp/kls/cmd/kls@latest';

/** Looks for kls: as configured, in the extension, in PATH, in Go's folder. */
export function findServer(places: Places, machine: Machine): Found {
  const paths = machine.platform === 'win32' ? path.win32 : path.posix;
  const name = machine.platform === 'win32' ? 'kls.exe' : 'kls';
  if (places.configured) {
    const file = expandHome(places.configured, machine, paths);
    if (!paths.isAbsolute(file)) return { missing: `kls.path has to be an absolute path: ${places.configured}` };
    return machine.isProgram(file) ? { file, bundled: false } : { missing: `kls.path names no program: ${file}` };
  }
  const bundled = paths.join(places.extension, 'bin', name);
  if (machine.isProgram(bundled)) return { file: bundled, bundled: true };
  const folders = machine.searchPath.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  folders.push(paths.join(machine.home, 'go', 'bin'));
  const file = folders.map((folder) => paths.join(folder, name)).find((candidate) => machine.isProgram(candidate));
  return file ? { file, bundled: false } : { missing: 'The kls program was not found in PATH, nor in ~/go/bin.' };
}

function expandHome(file: string, machine: Machine, paths: path.PlatformPath): string {
  return /^~[/\\]/.test(file) ? paths.join(machine.home, file.slice(2)) : file;
}
