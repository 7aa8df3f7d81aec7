// A text file as it is edited: read with its encoding, and stored as the next version of the one that was read.
import { GET, dataOf, fetchWithRetry, type CloudObject } from '../api/client';
import { APP_HEADERS } from '../api/headers';
import { at } from '../app/place';
import { contentUrl, itemOf, type Item } from '../files/item';
import { MAX_BYTES } from '../preview/text';
import { md5 } from '../upload/hashing';

export interface TextFile {
  item: Item;
  text: string;
  lineBreak: '\n' | '\r\n';
  hasMark: boolean;
}

/** The file cannot be edited here: too large, or not in UTF-8. */
export class Unfit extends Error {
  constructor(readonly reason: 'large' | 'encoding') {
    super(reason);
  }
}

export async function itemAt(key: string): Promise<Item> {
  const params = { params: { path: { object_key: key } } };
  return itemOf((await dataOf(GET('/x/v1/objects/{object_key}', params))).object);
}

export async function readFile(key: string, signal: AbortSignal): Promise<TextFile> {
  const item = await itemAt(key);
  return { item, ...(await readVersion(item, item.version, signal)) };
}

/** The text of a version. */
export async function readVersion(
  item: Item,
  version: number,
  signal: AbortSignal,
  bytes = item.bytes,
): Promise<Omit<TextFile, 'item'>> {
  if (bytes > MAX_BYTES) throw new Unfit('large');
  const response = await fetchWithRetry(new Request(contentUrl(item, version), { signal }));
  const data = new Uint8Array(await response.arrayBuffer());
  if (data.byteLength > MAX_BYTES) throw new Unfit('large');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    throw new Unfit('encoding');
  }
  if (text.includes('\0')) throw new Unfit('encoding');
  const hasMark = data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf;
  return { text, hasMark, lineBreak: /\r\n/.test(text) && !/[^\r]\n|^\n/.test(text) ? '\r\n' : '\n' };
}

/** Fails with ApiError SKY4009 if the file has another version than the expected one. */
export async function store(
  place: Pick<Item, 'name' | 'parentKey'>,
  text: string,
  { hasMark, expectedVersion }: { hasMark: boolean; expectedVersion?: number },
): Promise<Item> {
  const content = new Blob([hasMark ? '\u{FEFF}' : '', text], { type: 'text/plain' });
  const hash = await md5(content, new AbortController().signal);
  const about = {
    name: place.name,
    size: content.size,
    hash,
    folderKey: place.parentKey,
    lastModifiedDate: Date.now(),
    ...(expectedVersion ? { expectedVersion } : {}),
  };
  const form = new FormData();
  form.append('metadataString', JSON.stringify(about));
  form.append('file', content, place.name);
  const request = new Request(at('/upload/files'), { method: 'POST', body: form, headers: APP_HEADERS });
  return itemOf((await (await fetchWithRetry(request)).json()) as CloudObject);
}
