// The picture that stands for a board: the one that its owner chose, else the newest that it has.
import { GET, answer } from '../api/client';
import { hasThumbnail } from '../files/item';
import { boardItemOf } from './board_item';
import type { Board } from './boards.svelte';

const LOOKED_AT = 20;
const found = new Map<string, Promise<string | null>>();

/** The key of the object; null where nothing on the board can be shown small. */
export function coverOf(board: Board): string | null | Promise<string | null> {
  if (board.coverObjectKey) return board.coverObjectKey;
  if (!board.filesCount) return null;
  const state = `${board.boardKey} ${board.filesCount} ${board.lastModifiedDate}`;
  const known = found.get(state);
  if (known) return known;
  const looked = newest(board.boardKey);
  found.set(state, looked);
  looked.catch(() => found.delete(state));
  return looked;
}

async function newest(boardKey: string): Promise<string | null> {
  const query = { page: 0, limit: LOOKED_AT, sort: '-lastModifiedDate' as const };
  const { objects } = await answer(GET('/boards/{board_key}', { params: { path: { board_key: boardKey }, query } }));
  return objects.map(boardItemOf).find(hasThumbnail)?.key ?? null;
}
