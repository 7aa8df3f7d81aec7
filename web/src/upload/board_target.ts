// Uploads that are added to a board.
import type { Wanted } from './task.svelte';

export interface BoardTarget {
  boardKey: string;
  /** The names of the folders for the files, from the root folder. */
  path: readonly string[];
}

/** Boards show only files, so empty folders are left out. */
export function forBoard(board: BoardTarget | undefined, wanted: Wanted[]): Wanted[] {
  if (!board) return wanted;
  const { boardKey, path } = board;
  return wanted.filter((file) => !file.isFolder).map((file) => ({ ...file, path: [...path, ...file.path], boardKey }));
}
