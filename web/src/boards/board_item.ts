// A file on a board. Other people's files have fewer fields and cannot be changed.
import type { CloudObject, Schemas } from '../api/client';
import { itemOf, type Item } from '../files/item';

export function boardItemOf(object: Schemas['BoardObject']): Item {
  return itemOf(completeObject(object));
}

/** With the fields that other people's files do not have. */
export function completeObject(object: Schemas['BoardObject']): CloudObject {
  return {
    ...object,
    // A new modification date gives changed content a new thumbnail URL.
    version: object.version ?? object.lastModifiedDate,
    isFavorite: object.isFavorite ?? false,
    sourceName: object.sourceName ?? '',
  } as CloudObject;
}

/** Boards include the folder only for the user's own files. */
export function isOwn(item: Item): boolean {
  return item.parentKey !== null;
}
