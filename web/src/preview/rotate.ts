// Turns a picture for good: the turned file becomes its next version, and the one before stays among its versions.
import { contentUrl, type Item } from '../files/item';
import { SINGLE_REQUEST_BYTES } from '../upload/chunks';
import { md5 } from '../upload/hashing';
import { server, type Metadata } from '../upload/server';
import { turnedClockwise } from './turned';

export function canRotate(item: Item): boolean {
  return item.mime === 'image/jpeg' && item.parentKey !== null;
}

export async function rotate(item: Item): Promise<Item> {
  const signal = new AbortController().signal;
  const answer = await fetch(contentUrl(item));
  if (!answer.ok) throw new Error(`${answer.status}`);
  const file = turnedClockwise(await answer.arrayBuffer());
  if (!file) throw new Error('not a JPEG');
  const about: Metadata = {
    name: item.name,
    size: file.size,
    hash: await md5(file, signal),
    folderKey: item.parentKey!,
    fileCreatedDate: item.created,
    lastModifiedDate: Date.now(),
  };
  const sending = { signal, onSent: () => {} };
  if (file.size <= SINGLE_REQUEST_BYTES) return server.sendWhole(about, file, sending);
  let state = await server.initiate(about);
  while (!('item' in state)) {
    const { upload, offset } = state;
    const bytes = file.slice(offset, offset + SINGLE_REQUEST_BYTES);
    state = await server.chunk(upload, offset, bytes, await md5(bytes, signal), sending);
  }
  return state.item;
}
