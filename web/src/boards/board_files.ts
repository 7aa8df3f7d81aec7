// Adding files to a board and removing them; each file succeeds or fails separately.
import { POST, dataOf, type Schemas } from '../api/client';
import { failureOf, type Failure } from '../files/operations';

export const BATCH_SIZE = 2000;

export interface Outcome {
  /** Keys of the files that were added or removed. */
  done: string[];
  failed: Failure[];
}

type Unprocessed = Schemas['UnprocessedEntry'];

async function inBatches(
  keys: readonly string[],
  call: (objectKeys: string[]) => Promise<{ done: string[]; unprocessed: Unprocessed[] }>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  for (let start = 0; start < keys.length; start += BATCH_SIZE) {
    const { done, unprocessed } = await call(keys.slice(start, start + BATCH_SIZE));
    outcome.done.push(...done);
    outcome.failed.push(...unprocessed.map(failureOf));
  }
  return outcome;
}

export function addToBoard(boardKey: string, keys: readonly string[]): Promise<Outcome> {
  return inBatches(keys, async (objectKeys) => {
    const params = { path: { board_key: boardKey } };
    const result = await dataOf(POST('/x/v1/boards/{board_key}/objects', { params, body: { objectKeys } }));
    return { done: result.objects.map((object) => object.objectKey), unprocessed: result.unprocessed };
  });
}

export function removeFromBoard(boardKey: string, keys: readonly string[]): Promise<Outcome> {
  return inBatches(keys, async (objectKeys) => {
    const params = { path: { board_key: boardKey } };
    const result = await dataOf(POST('/x/v1/boards/{board_key}/objects/remove', { params, body: { objectKeys } }));
    return { done: result.objectKeys, unprocessed: result.unprocessed };
  });
}
