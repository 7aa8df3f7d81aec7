// The calls that an upload makes. Bytes go by XMLHttpRequest, because fetch does not tell how much it has sent.
import { DELETE, GET, POST, answer, type CloudObject, type Schemas } from '../api/client';
import { APP_HEADERS } from '../api/headers';
import { ApiError } from '../api/errors';
import { serverSettings } from '../app/server_settings';
import { itemOf, type Item } from '../files/item';
import { createFolder } from '../files/operations';
import { errorIn, sendBytes, type Answered } from './sending';
import type { Entry } from './task.svelte';

export type Metadata = Schemas['UploadMetadata'] & { folderKey: string };
export type Begun = { item: Item } | { upload: string; offset: number };
export interface Sending {
  signal: AbortSignal;
  onSent: (bytes: number) => void;
}

/** What uploads need of a server; tests have one of their own. */
export interface Server {
  settings(): Promise<{ maxFileSize: number; chunkSize: number }>;
  names(folderKey: string): AsyncIterable<[string, Entry & { key: string }]>;
  createFolder(name: string, parentKey: string): Promise<Item>;
  /** A small file in one call. */
  whole(about: Metadata, file: Blob, sending: Sending): Promise<Item>;
  /** The finished file where no byte is missing, else how far its upload is. Not to be stopped: see giveUp. */
  initiate(about: Metadata): Promise<Begun>;
  chunk(upload: string, offset: number, bytes: Blob, md5: string, sending: Sending): Promise<Begun>;
  /** Free the room that is kept for an upload; who stops before it is known which one it is could not. */
  giveUp(upload: string): Promise<void>;
}

const PAGE = 5000;
const WRONG_OFFSET = 'SKY4001';

function begunOf(told: unknown): Begun {
  const body = told as Partial<CloudObject> & { transactionId?: string; offset?: number };
  if (body.objectKey) return { item: itemOf(body as CloudObject) };
  return { upload: body.transactionId ?? '', offset: body.offset ?? 0 };
}

function successOf(answered: Answered): unknown {
  if (answered.status < 200 || answered.status > 299) throw errorIn(answered);
  return answered.body;
}

export const server: Server = {
  settings: serverSettings,

  async *names(folderKey) {
    for (let page = 0; ; page++) {
      const query = { folderKey, limit: PAGE, page, sort: '+objectName' as const };
      const { objects } = await answer(GET('/nms/metadata', { params: { query } }));
      for (const one of objects) {
        const entry = {
          key: one.objectKey,
          isFolder: one.objectType === 'FR',
          hash: one.hash ?? null,
          size: one.sizeInBytes,
          modified: one.lastModifiedDate,
        };
        yield [one.objectName, entry];
      }
      if (objects.length < PAGE) return;
    }
  },

  createFolder,

  async whole(about, file, sending) {
    const form = new FormData();
    form.append('metadataString', JSON.stringify(about));
    form.append('file', file, about.name);
    const answered = await sendBytes('POST', '/upload/files', { ...APP_HEADERS }, form, sending);
    return itemOf(successOf(answered) as CloudObject);
  },

  async initiate(about) {
    return begunOf(await answer(POST('/upload/files/chunked/initiate', { body: about })));
  },

  async chunk(upload, offset, bytes, md5, sending) {
    const headers = {
      ...APP_HEADERS,
      'Content-Type': 'application/octet-stream',
      'X-Offset': String(offset),
      'Content-MD5': md5,
    };
    const path = `/upload/files/chunked?uploadId=${encodeURIComponent(upload)}`;
    const answered = await sendBytes('PUT', path, headers, bytes, sending);
    if (answered.status === 409 && errorIn(answered).code === WRONG_OFFSET) {
      const right = (answered.body as { offset?: number }).offset;
      if (right === undefined) throw new ApiError(409, WRONG_OFFSET, errorIn(answered).message);
      return { upload, offset: right };
    }
    return begunOf(successOf(answered));
  },

  async giveUp(upload) {
    await DELETE('/x/v1/uploads/{upload_key}', { params: { path: { upload_key: upload } } });
  },
};
