// Files onto a board and off it; each is taken or refused on its own.
import { POST, answer, type Schemas } from '../api/client';
import { failureOf } from '../files/operations';

export const AT_ONCE = 2000;

export interface Outcome {
  /** Keys of what is on the board now, or off it. */
  done: string[];
  failed: { key: string; reason: string }[];
}

type Unprocessed = Schemas['UnprocessedEntry'];

async function inParts(
  keys: readonly string[],
  call: (objectKeys: string[]) => Promise<{ done: string[]; unprocessed: Unprocessed[] }>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const { done, unprocessed } = await call(keys.slice(start, start + AT_ONCE));
    outcome.done.push(...done);
    outcome.failed.push(...unprocessed.map(failureOf));
  }
  return outcome;
}

export function addToBoard(boardKey: string, keys: readonly string[]): Promise<Outcome> {
  return inParts(keys, async (objectKeys) => {
    const params = { path: { board_key: boardKey } };
    const told = await answer(POST('/x/v1/boards/{board_key}/objects', { params, body: { objectKeys } }));
    return { done: told.objects.map((object) => object.objectKey), unprocessed: told.unprocessed };
  });
}

export function takeOffBoard(boardKey: string, keys: readonly string[]): Promise<Outcome> {
  return inParts(keys, async (objectKeys) => {
    const params = { path: { board_key: boardKey } };
    const told = await answer(POST('/x/v1/boards/{board_key}/objects/remove', { params, body: { objectKeys } }));
    return { done: told.objectKeys, unprocessed: told.unprocessed };
  });
}
