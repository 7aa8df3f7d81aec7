// Rotates a picture permanently: the rotated file becomes its next version, and the previous one stays in its versions.
import { contentUrl, type Item } from '../files/item';
import { SINGLE_REQUEST_BYTES } from '../upload/chunks';
import { md5 } from '../upload/hashing';
import { server } from '../upload/page_server';
import type { Metadata } from '../upload/server';
import { t } from '../words';
import { turnedClockwise } from './turned';
import { turnedHeif } from './turned_heif';
import { turnedPixels } from './turned_pixels';

const ROTATABLE = new Set(['jpeg', 'png', 'webp', 'heic', 'heif'].map((type) => `image/${type}`));

export function canRotate(item: Item): boolean {
  return ROTATABLE.has(item.mime) && item.parentKey !== null;
}

export async function rotate(item: Item): Promise<Item> {
  const signal = new AbortController().signal;
  const answer = await fetch(contentUrl(item));
  if (!answer.ok) throw new Error(`${answer.status}`);
  const file = await turned(await answer.arrayBuffer(), item.mime);
  if (!file) throw new Error(t('viewer.rotate.impossible'));
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

async function turned(bytes: ArrayBuffer, mime: string): Promise<Blob | null> {
  if (mime === 'image/jpeg') return turnedClockwise(bytes);
  if (mime === 'image/png' || mime === 'image/webp') return turnedPixels(bytes, mime);
  return turnedHeif(bytes, mime);
}
