// Changes to objects, many in one call; each is applied or refused on its own.
import { POST, PUT, answer, type Schemas } from '../api/client';
import { ApiError } from '../api/errors';
import { reasonOf } from '../words/problems';
import { itemOf, type Item } from './item';

type Operation = Schemas['Operation'];
type Echo = Schemas['EchoedObject'];

const AT_ONCE = 2000;

export interface Outcome {
  done: Item[];
  failed: { key: string; reason: string }[];
}

/** Why one of many was refused, in words. */
export function failureOf({ object }: Pick<Schemas['UnprocessedEntry'], 'object'>): Outcome['failed'][number] {
  return { key: object.objectKey, reason: reasonOf(object.errorCode, object.errorMessage) };
}

async function apply(operation: Operation, items: Item[], change: (item: Item) => Partial<Echo>): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const objects = items.slice(start, start + AT_ONCE).map((item) => ({
      operation,
      correlationId: item.key,
      object: { objectKey: item.key, objectName: item.name, sourceName: item.source, ...change(item) },
    }));
    const told = await answer(PUT('/nms/metadata/1.0', { body: { objects } }));
    for (const entry of told.objects) outcome.done.push(itemOf(entry.object));
    for (const entry of told.unprocessed) {
      outcome.failed.push(failureOf(entry));
    }
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
  const told = await answer(PUT('/nms/metadata/restore', { body: { objectKeys: keys } }));
  return {
    done: told.objects.map(itemOf),
    failed: told.unprocessed.map(failureOf),
  };
}

export async function createFolder(name: string, parentKey: string): Promise<Item> {
  const body = { objectName: name, parentObjectKey: parentKey };
  return itemOf(await answer(POST('/nms/folders', { body })));
}
