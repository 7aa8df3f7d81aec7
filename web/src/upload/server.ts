// The requests of uploads, over whatever sends them: the page (page_server.ts) or the service worker.
import type { Client } from 'openapi-fetch';
import type { CloudObject, Schemas } from '../api/client';
import { APP_HEADERS } from '../api/headers';
import { ApiError } from '../api/errors';
import type { paths } from '../api/schema';
import { at } from '../app/place';
import { itemOf, type Item } from '../files/item';
import type { Entry } from './task.svelte';

export type Metadata = Schemas['UploadMetadata'] & { folderKey: string };
export type UploadState = { item: Item } | { upload: string; offset: number };
export interface Sending {
  signal: AbortSignal;
  onSent: (bytes: number) => void;
}

export interface SentResponse {
  status: number;
  body: unknown;
  retryAfter: number | null;
}

/** Sends content with its progress. */
export type Send = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Blob | FormData,
  sending: Sending,
) => Promise<SentResponse>;

/** The server as uploads use it; tests have their own implementation. */
export interface Server {
  settings(): Promise<{ maxFileSize: number; chunkSize: number }>;
  names(folderKey: string): AsyncIterable<[string, Entry & { key: string }]>;
  createFolder(name: string, parentKey: string): Promise<Item>;
  /** Send a small file in one request. */
  sendWhole(about: Metadata, file: Blob, sending: Sending): Promise<Item>;
  /** Start or continue an upload: the finished file, or the offset to send next. Not abortable, so its id is known to cancelUpload. */
  initiate(about: Metadata): Promise<UploadState>;
  chunk(upload: string, offset: number, bytes: Blob, md5: string, sending: Sending): Promise<UploadState>;
  /** Cancel an upload and free its reserved space. */
  cancelUpload(upload: string): Promise<void>;
}

const PAGE_SIZE = 5000;
const WRONG_OFFSET = 'SKY4001';

function uploadStateOf(response: unknown): UploadState {
  const body = response as Partial<CloudObject> & { transactionId?: string; offset?: number };
  if (body.objectKey) return { item: itemOf(body as CloudObject) };
  return { upload: body.transactionId ?? '', offset: body.offset ?? 0 };
}

/** The error of a response. A proxy's response may lack code and message. */
export function errorIn({ status, body, retryAfter }: SentResponse): ApiError {
  const error = body as { code?: string; message?: string } | null;
  return new ApiError(status, error?.code ?? '', error?.message ?? '', retryAfter);
}

/** The body of a successful response; the callers' clients throw on errors. */
async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

function successOf(response: SentResponse): unknown {
  if (response.status < 200 || response.status > 299) throw errorIn(response);
  return response.body;
}

export function serverOver(
  { GET, POST, DELETE }: Pick<Client<paths>, 'GET' | 'POST' | 'DELETE'>,
  send: Send,
  settings: Server['settings'],
): Server {
  return {
    settings,

    async *names(folderKey) {
      for (let page = 0; ; page++) {
        const query = { folderKey, limit: PAGE_SIZE, page, sort: '+objectName' as const };
        const { objects } = await dataOf(GET('/nms/metadata', { params: { query } }));
        for (const object of objects) {
          const entry = {
            key: object.objectKey,
            isFolder: object.objectType === 'FR',
            hash: object.hash ?? null,
            size: object.sizeInBytes,
            modified: object.lastModifiedDate,
          };
          yield [object.objectName, entry];
        }
        if (objects.length < PAGE_SIZE) return;
      }
    },

    async createFolder(name, parentKey) {
      const body = { objectName: name, parentObjectKey: parentKey };
      return itemOf(await dataOf(POST('/nms/folders', { body })));
    },

    async sendWhole(about, file, sending) {
      const form = new FormData();
      form.append('metadataString', JSON.stringify(about));
      form.append('file', file, about.name);
      const response = await send('POST', at('/upload/files'), { ...APP_HEADERS }, form, sending);
      return itemOf(successOf(response) as CloudObject);
    },

    async initiate(about) {
      return uploadStateOf(await dataOf(POST('/upload/files/chunked/initiate', { body: about })));
    },

    async chunk(upload, offset, bytes, md5, sending) {
      const headers = {
        ...APP_HEADERS,
        'Content-Type': 'application/octet-stream',
        'X-Offset': String(offset),
        'Content-MD5': md5,
      };
      const path = at(`/upload/files/chunked?uploadId=${encodeURIComponent(upload)}`);
      const response = await send('PUT', path, headers, bytes, sending);
      if (response.status === 409 && errorIn(response).code === WRONG_OFFSET) {
        const expected = (response.body as { offset?: number }).offset;
        if (expected === undefined) throw new ApiError(409, WRONG_OFFSET, errorIn(response).message);
        return { upload, offset: expected };
      }
      return uploadStateOf(successOf(response));
    },

    async cancelUpload(upload) {
      await DELETE('/x/v1/uploads/{upload_key}', { params: { path: { upload_key: upload } } });
    },
  };
}
