// The picture that stands for a board: the one that its owner chose, else the newest that it has.
import { GET, answer } from '../api/client';
import { hasThumbnail, type Item } from '../files/item';
import { boardItemOf } from './board_item';
import type { Board } from './boards.svelte';

/** What a thumbnail is asked for by; where the content is not known, the server is asked each time. */
type Cover = Pick<Item, 'key' | 'hash' | 'version'>;

const LOOKED_AT = 20;
const found = new Map<string, Promise<Cover | null>>();

/** Null where nothing on the board can be shown small. */
export function coverOf(board: Board): Cover | null | Promise<Cover | null> {
  if (board.coverObjectKey) return { key: board.coverObjectKey, hash: null, version: board.lastModifiedDate };
  if (!board.filesCount) return null;
  const state = `${board.boardKey} ${board.filesCount} ${board.lastModifiedDate}`;
  const known = found.get(state);
  if (known) return known;
  const looked = newest(board.boardKey);
  found.set(state, looked);
  looked.catch(() => found.delete(state));
  return looked;
}

async function newest(boardKey: string): Promise<Cover | null> {
  const query = { page: 0, limit: LOOKED_AT, sort: '-lastModifiedDate' as const };
  const { objects } = await answer(GET('/boards/{board_key}', { params: { path: { board_key: boardKey }, query } }));
  return objects.map(boardItemOf).find(hasThumbnail) ?? null;
}
