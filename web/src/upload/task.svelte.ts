// One file, or one empty folder, on its way into the drive.
import type { WordName } from '../words';

export type TaskState = 'waiting' | 'preparing' | 'sending' | 'conflict' | 'failed' | 'done' | 'unchanged' | 'skipped';
export type Decision = 'replace' | 'keep' | 'skip';

/** What went wrong, by the name of its sentence, so that it can be told in another language after a reload. */
export interface Problem {
  word: WordName;
  given?: Record<string, string | number>;
}

/** What somebody dropped, pasted or chose: a file, or a folder with nothing in it. */
export interface Wanted {
  folderKey: string;
  /** Folders on the way from there, by name. */
  path: readonly string[];
  name: string;
  isFolder: boolean;
  size: number;
  modified: number;
  file: File | null;
  /** The board that shows it when it has come. */
  boardKey?: string | null;
}

/** What already has the name. */
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
  /** Null where a reload has lost it. */
  file: File | null;
  hash: string | null = null;
  /** The name that it gets, where that is not its own. */
  as: string | null = null;
  /** The transaction that the server keeps room for. */
  upload: string | null = null;
  decision: Decision | null = null;
  inTheWay: Entry | null = null;
  /** Begun before a reload: where its content is found in its place, it arrived just before that. */
  isBack = false;

  state = $state<TaskState>('waiting');
  /** Bytes read for the hash, and bytes sent. */
  read = $state(0);
  sent = $state(0);
  problem = $state.raw<Problem | null>(null);

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

  /** The same for the same file in the same place, also after a reload. */
  get place(): string {
    return placeOf(this);
  }
}

export function placeOf(wanted: Wanted): string {
  return (
    [wanted.folderKey, ...wanted.path, wanted.name].map((one) => one.normalize('NFC')).join('/') + `:${wanted.size}`
  );
}
