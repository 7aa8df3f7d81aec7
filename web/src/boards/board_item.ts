// A file on a board. Of somebody else's there is less to know, and nothing to change.
import type { CloudObject, Schemas } from '../api/client';
import { itemOf, type Item } from '../files/item';

export function boardItemOf(object: Schemas['BoardObject']): Item {
  const whole = {
    ...object,
    // Content that changes has another date: so its pictures have another address.
    version: object.version ?? object.lastModifiedDate,
    isFavorite: object.isFavorite ?? false,
    sourceName: object.sourceName ?? '',
  };
  return itemOf(whole as CloudObject);
}

/** Only of one's own files a board tells the folder. */
export function isOwn(item: Item): boolean {
  return item.parentKey !== null;
}
