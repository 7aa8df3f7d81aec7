// The files in a drop, a paste or a selected folder, with their paths, and empty folders.
import type { Wanted } from './task.svelte';

const BATCH_SIZE = 500;

export type OnBatch = (wanted: Wanted[]) => void;

/** Files from an input; those of a selected folder have a path. */
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
 * Walk through dropped files and folders and pass them on in batches. All entries are read from the transfer
 * synchronously, because browsers clear it afterwards. Returns how many entries could not be read.
 */
export async function walkDropped(transfer: DataTransfer, folderKey: string, onBatch: OnBatch): Promise<number> {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const roots = items.map(rootOf);
  const walk = new Walk(folderKey, onBatch);
  for (const root of roots) {
    if (root instanceof File) walk.push(fileAt(root, folderKey, []));
    else if (root) await walk.add(root, []);
  }
  walk.flush();
  return walk.unreadable;
}

function rootOf(item: DataTransferItem): FileSystemEntry | File | null {
  const entry = item.webkitGetAsEntry?.() ?? null;
  return entry?.isDirectory ? entry : (item.getAsFile() ?? entry);
}

class Walk {
  unreadable = 0;
  #folderKey: string;
  #onBatch: OnBatch;
  #found: Wanted[] = [];

  constructor(folderKey: string, onBatch: OnBatch) {
    this.#folderKey = folderKey;
    this.#onBatch = onBatch;
  }

  push(wanted: Wanted): void {
    this.#found.push(wanted);
    if (this.#found.length >= BATCH_SIZE) this.flush();
  }

  flush(): void {
    if (this.#found.length) this.#onBatch(this.#found);
    this.#found = [];
  }

  async add(entry: FileSystemEntry, path: readonly string[]): Promise<void> {
    try {
      if (isFile(entry)) this.push(fileAt(await fileOf(entry), this.#folderKey, path));
      else if (isDirectory(entry)) await this.#walkFolder(entry, path);
    } catch {
      this.unreadable += 1;
    }
  }

  async #walkFolder(directory: FileSystemDirectoryEntry, path: readonly string[]): Promise<void> {
    const reader = directory.createReader();
    let isEmpty = true;
    // A reader returns up to 100 entries at a time, and none at the end.
    for (let entries = await read(reader); entries.length; entries = await read(reader)) {
      isEmpty = false;
      for (const entry of entries) await this.add(entry, [...path, directory.name]);
    }
    if (isEmpty) this.push(emptyFolderAt(directory.name, this.#folderKey, path));
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
