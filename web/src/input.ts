// Files that a person chooses or drops.
import { find } from './page';
import { isHidden, limits } from './tree';

/** A file with its path as seen from where the choice began. */
export interface Given { readonly path: string; readonly file: File }

/** Lets a button open a file input, and hands over what was chosen. */
export function chooseFiles(button: 'open-folder', input: string, take: (files: readonly Given[]) => void): void;
export function chooseFiles(button: 'open-zip', input: string, take: (files: readonly File[]) => void): void;
export function chooseFiles(button: string, input: string, take: (files: never) => void): void {
  const chooser = find<HTMLInputElement>(input);
  find(button).onclick = () => chooser.click();
  chooser.onchange = () => {
    const files = [...(chooser.files ?? [])];
    chooser.value = ''; // so that the same choice counts again
    if (files.length === 0) return;
    take((chooser.webkitdirectory ? files.map((file) => ({ path: file.webkitRelativePath, file })) : files) as never);
  };
}

/** Reads what was dropped, folders with all that is in them. */
export async function filesOf(dropped: DataTransfer | null): Promise<Given[]> {
  const entries = [...(dropped?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: Given[] = [];
  for (const entry of entries) await collect(entry, entry.name, files);
  return files;
}

async function collect(entry: FileSystemEntry, path: string, files: Given[]): Promise<void> {
  if (files.length > limits.files || isHidden(`${path}/`)) return;
  if (entry.isFile) {
    files.push({ path, file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (children.length === 0) return;
    for (const child of children) await collect(child, `${path}/${child.name}`, files);
  }
}
