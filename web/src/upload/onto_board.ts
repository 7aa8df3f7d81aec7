// Files that are to be seen on a board as soon as they are in the drive.
import type { Wanted } from './task.svelte';

export interface BoardPlace {
  boardKey: string;
  /** The folders, by name, where the files lie in the drive of who uploads them. */
  path: readonly string[];
}

/** A board shows files only: folders with nothing in them are left out. */
export function onto(board: BoardPlace | undefined, wanted: Wanted[]): Wanted[] {
  if (!board) return wanted;
  const { boardKey, path } = board;
  return wanted.filter((one) => !one.isFolder).map((one) => ({ ...one, path: [...path, ...one.path], boardKey }));
}
