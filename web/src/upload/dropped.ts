// What is in a drop, a paste or a chosen folder: files with the folders on the way to them, and folders without files.
import type { Wanted } from './task.svelte';

const TOLD_AT_ONCE = 500;

export type Take = (wanted: Wanted[]) => void;

/** Files that an input or another page gave; a chosen folder tells its paths. */
export function wantedOf(files: Iterable<File>, folderKey: string): Wanted[] {
  return [...files].map((file) => {
    const path = (file.webkitRelativePath || file.name).split('/').slice(0, -1);
    return fileAt(file, folderKey, path);
  });
}

function fileAt(file: File, folderKey: string, path: readonly string[]): Wanted {
  return { folderKey, path, name: file.name, isFolder: false, size: file.size, modified: file.lastModified, file };
}

function emptyFolderAt(name: string, folderKey: string, path: readonly string[]): Wanted {
  return { folderKey, path, name, isFolder: true, size: 0, modified: Date.now(), file: null };
}

/**
 * Walk through what was dropped, and hand it on in parts while the walk goes on. Everything is taken out of the
 * transfer before the first wait, because a browser empties it then. Files are there at once, and only folders are
 * asked for what is in them: that takes as long as the disk does. How many could not be read.
 */
export async function walkDropped(transfer: DataTransfer, folderKey: string, take: Take): Promise<number> {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const roots = items.map(rootOf);
  const walk = new Walk(folderKey, take);
  for (const root of roots) {
    if (root instanceof File) walk.put(fileAt(root, folderKey, []));
    else if (root) await walk.into(root, []);
  }
  walk.end();
  return walk.unreadable;
}

function rootOf(item: DataTransferItem): FileSystemEntry | File | null {
  const entry = item.webkitGetAsEntry?.() ?? null;
  return entry?.isDirectory ? entry : (item.getAsFile() ?? entry);
}

class Walk {
  unreadable = 0;
  #folderKey: string;
  #take: Take;
  #found: Wanted[] = [];

  constructor(folderKey: string, take: Take) {
    this.#folderKey = folderKey;
    this.#take = take;
  }

  put(wanted: Wanted): void {
    this.#found.push(wanted);
    if (this.#found.length >= TOLD_AT_ONCE) this.end();
  }

  end(): void {
    if (this.#found.length) this.#take(this.#found);
    this.#found = [];
  }

  async into(entry: FileSystemEntry, path: readonly string[]): Promise<void> {
    try {
      if (isFile(entry)) this.put(fileAt(await fileOf(entry), this.#folderKey, path));
      else if (isDirectory(entry)) await this.#through(entry, path);
    } catch {
      this.unreadable += 1;
    }
  }

  async #through(directory: FileSystemDirectoryEntry, path: readonly string[]): Promise<void> {
    const reader = directory.createReader();
    let isEmpty = true;
    // A reader gives a hundred at a time, and nothing at the end.
    for (let some = await read(reader); some.length; some = await read(reader)) {
      isEmpty = false;
      for (const one of some) await this.into(one, [...path, directory.name]);
    }
    if (isEmpty) this.put(emptyFolderAt(directory.name, this.#folderKey, path));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function read(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
