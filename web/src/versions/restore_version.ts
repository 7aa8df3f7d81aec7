// An earlier version of a file becomes its current one.
import { POST, dataOf } from '../api/client';
import { itemOf, type Item } from '../files/item';

export async function restoreVersion({ key }: Item, version: number): Promise<Item> {
  return itemOf(await dataOf(POST('/x/v1/versions/restore', { body: { objectKey: key, version } })));
}
