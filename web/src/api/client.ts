// The API client: requests typed by the OpenAPI description, with the headers that each one needs. The session is a
// cookie that scripts cannot read.
import createClient, { type Middleware } from 'openapi-fetch';
import { connection } from '../app/connection.svelte';
import { PLACE } from '../app/place';
import { delay } from './delay';
import { takePrefetched } from './prefetch';
import { ApiError, Unreachable, errorOf, isTransient } from './errors';
import { requestHeaders } from './headers';
import { nameKnownPage, withPage } from './known_pages';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type CloudObject = Schemas['CloudObject'];

const MAX_ATTEMPTS = 3;
const FIRST_DELAY_MS = 600;

const addHeaders: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(requestHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
    return request;
  },
};

type SessionEndHandler = () => void;
let sessionEnded: SessionEndHandler = () => {};

/** Set what happens when the server reports that the session has ended. */
export function onSessionEnd(handler: SessionEndHandler): void {
  sessionEnded = handler;
}

/** `fetch` that retries GET requests, tracks the connection and throws on error responses. */
export async function fetchWithRetry(request: Request): Promise<Response> {
  const attempts = request.method === 'GET' ? MAX_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(request.clone());
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'AbortError') throw problem;
      if (attempt >= attempts || !isTransient(problem)) throw problem;
      const retryAfter = problem instanceof ApiError ? problem.retryAfter : null;
      await delay(retryAfter ? retryAfter * 1000 : FIRST_DELAY_MS * 2 ** (attempt - 1), request.signal);
    }
  }
}

async function once(request: Request): Promise<Response> {
  let response: Response;
  nameKnownPage(request);
  try {
    response = await (takePrefetched(request) ?? fetch(request));
  } catch (problem) {
    if (request.signal.aborted) throw problem;
    connection.markLost();
    throw new Unreachable(problem);
  }
  connection.markRestored();
  if (response.ok || response.status === 304) return withPage(request, response);
  const error = await errorOf(response);
  if (error.status === 401 && error.code === 'TEJGA0401') sessionEnded();
  throw error;
}

const client = createClient<paths>({ baseUrl: PLACE, fetch: fetchWithRetry });
client.use(addHeaders);

export const { GET, POST, PUT, DELETE } = client;

/** The body of a successful response; errors have been thrown by fetchWithRetry. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}
