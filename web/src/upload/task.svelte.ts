// The upload of a file or an empty folder.
import type { Item } from '../files/item';
import type { WordName } from '../words';

export type TaskState = 'waiting' | 'preparing' | 'sending' | 'conflict' | 'failed' | 'done' | 'unchanged' | 'skipped';
export type Decision = 'replace' | 'keep' | 'skip';

/** An error by the key of its sentence, so it can be shown in another language after a reload. */
export interface Problem {
  key: WordName;
  values?: Record<string, string | number>;
}

/** A file or empty folder that was dropped, pasted or selected. */
export interface Wanted {
  folderKey: string;
  /** The names of the folders below that folder. */
  path: readonly string[];
  name: string;
  isFolder: boolean;
  size: number;
  modified: number;
  file: File | null;
  /** The board to add it to. */
  boardKey?: string | null;
}

/** An existing file or folder. */
export interface Entry {
  isFolder: boolean;
  hash: string | null;
  size: number;
  modified: number;
}

export class Task implements Wanted {
  readonly id: string;
  readonly folderKey: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
  readonly size: number;
  readonly modified: number;
  readonly boardKey: string | null;
  /** Null if a reload has lost it. */
  file: File | null;
  hash: string | null = null;
  /** The name to upload it as, if not its own. */
  as: string | null = null;
  /** The server's upload transaction, which reserves space. */
  upload: string | null = null;
  decision: Decision | null = null;
  existing: Entry | null = null;
  /** Restored after a reload: if its content already exists, the upload finished just before. */
  isRestored = false;

  state = $state<TaskState>('waiting');
  /** Bytes hashed and bytes sent. */
  read = $state(0);
  sent = $state(0);
  problem = $state.raw<Problem | null>(null);
  /** The uploaded file. */
  item = $state.raw<Item | null>(null);

  constructor(id: string, wanted: Wanted) {
    this.id = id;
    this.folderKey = wanted.folderKey;
    this.path = wanted.path.map((name) => name.normalize('NFC'));
    this.name = wanted.name.normalize('NFC');
    this.isFolder = wanted.isFolder;
    this.size = wanted.size;
    this.modified = wanted.modified;
    this.boardKey = wanted.boardKey ?? null;
    this.file = wanted.file;
  }

  /** Identifies the same file at the same path, even after a reload. */
  get location(): string {
    return locationOf(this);
  }
}

export function locationOf(wanted: Wanted): string {
  return (
    [wanted.folderKey, ...wanted.path, wanted.name].map((name) => name.normalize('NFC')).join('/') + `:${wanted.size}`
  );
}
