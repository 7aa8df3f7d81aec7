// Changes to items, many per request; each item succeeds or fails separately.
import { POST, PUT, dataOf, type Schemas } from '../api/client';
import { ApiError } from '../api/errors';
import { reasonOf } from '../words/problems';
import { itemOf, type Item } from './item';

type Operation = Schemas['Operation'];
type Echo = Schemas['EchoedObject'];

const BATCH_SIZE = 2000;

export interface Failure {
  key: string;
  reason: string;
}

export interface Outcome {
  done: Item[];
  failed: Failure[];
}

/** Why an item was refused, as a sentence. */
export function failureOf({ object }: Pick<Schemas['UnprocessedEntry'], 'object'>): Failure {
  return { key: object.objectKey, reason: reasonOf(object.errorCode, object.errorMessage) };
}

async function apply(operation: Operation, items: Item[], change: (item: Item) => Partial<Echo>): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const objects = items.slice(start, start + BATCH_SIZE).map((item) => ({
      operation,
      correlationId: item.key,
      object: { objectKey: item.key, objectName: item.name, sourceName: item.source, ...change(item) },
    }));
    const result = await dataOf(PUT('/nms/metadata/1.0', { body: { objects } }));
    for (const entry of result.objects) outcome.done.push(itemOf(entry.object));
    outcome.failed.push(...result.unprocessed.map(failureOf));
  }
  return outcome;
}

export function setFavourite(items: Item[], isFavourite: boolean): Promise<Outcome> {
  return apply(isFavourite ? 'SETFAV' : 'UNSETFAV', items, () => ({}));
}

export function move(items: Item[], folderKey: string): Promise<Outcome> {
  return apply('MOVE', items, () => ({ parentObjectKey: folderKey }));
}

export function trash(items: Item[]): Promise<Outcome> {
  return apply('TRASH', items, () => ({ status: 'T' }));
}

export async function rename(item: Item, name: string): Promise<Item> {
  const { done, failed } = await apply('RENAME', [item], () => ({ objectName: name }));
  if (!done[0]) throw new ApiError(409, '', failed[0]?.reason ?? '');
  return done[0];
}

export async function restore(keys: string[]): Promise<Outcome> {
  const result = await dataOf(PUT('/nms/metadata/restore', { body: { objectKeys: keys } }));
  return {
    done: result.objects.map(itemOf),
    failed: result.unprocessed.map(failureOf),
  };
}

export async function createFolder(name: string, parentKey: string): Promise<Item> {
  const body = { objectName: name, parentObjectKey: parentKey };
  return itemOf(await dataOf(POST('/nms/folders', { body })));
}
