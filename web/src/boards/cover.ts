// A board's cover picture: the one that its owner chose, else its newest picture.
import { GET, dataOf } from '../api/client';
import { hasThumbnail, type Item } from '../files/item';
import { boardItemOf } from './board_item';
import type { Board } from './boards.svelte';

/** The fields of a thumbnail's URL; without the content's hash the browser cannot cache it for long. */
type Cover = Pick<Item, 'key' | 'hash' | 'version'>;

const CANDIDATES = 20;
const covers = new Map<string, Promise<Cover | null>>();

/** Null if no file of the board has a thumbnail. */
export function coverOf(board: Board): Cover | null | Promise<Cover | null> {
  if (board.coverObjectKey) return { key: board.coverObjectKey, hash: null, version: board.lastModifiedDate };
  if (!board.filesCount) return null;
  const state = `${board.boardKey} ${board.filesCount} ${board.lastModifiedDate}`;
  const known = covers.get(state);
  if (known) return known;
  const loading = newest(board.boardKey);
  covers.set(state, loading);
  loading.catch(() => covers.delete(state));
  return loading;
}

async function newest(boardKey: string): Promise<Cover | null> {
  const query = { page: 0, limit: CANDIDATES, sort: '-lastModifiedDate' as const };
  const { objects } = await dataOf(GET('/boards/{board_key}', { params: { path: { board_key: boardKey }, query } }));
  return objects.map(boardItemOf).find(hasThumbnail) ?? null;
}
