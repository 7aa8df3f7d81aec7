// Every call of the web client goes through here: typed by the OpenAPI description, with the headers that each call
// needs. The session itself is a cookie that no script can read.
import createClient, { type Middleware } from 'openapi-fetch';
import { connection } from '../app/connection.svelte';
import { earlyAnswer } from './early';
import { ApiError, Unreachable, errorOf, isPassing } from './errors';
import { callHeaders } from './headers';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type CloudObject = Schemas['CloudObject'];

const TRIES = 3;
const FIRST_WAIT_MS = 600;

const sayHeaders: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(callHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
    return request;
  },
};

type Ended = () => void;
let onSessionEnd: Ended = () => {};

/** What happens when the server says that the session is over. */
export function whenSessionEnds(then: Ended): void {
  onSessionEnd = then;
}

/** fetch, which repeats what only reads, tells whether the server is there, and raises what went wrong. */
export async function politeFetch(request: Request): Promise<Response> {
  const tries = request.method === 'GET' ? TRIES : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(request.clone());
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'AbortError') throw problem;
      if (attempt >= tries || !isPassing(problem)) throw problem;
      const asked = problem instanceof ApiError ? problem.retryAfter : null;
      await pause(asked ? asked * 1000 : FIRST_WAIT_MS * 2 ** (attempt - 1), request.signal);
    }
  }
}

async function once(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await (earlyAnswer(request) ?? fetch(request));
  } catch (problem) {
    if (request.signal.aborted) throw problem;
    connection.lost();
    throw new Unreachable(problem);
  }
  connection.found();
  if (response.ok || response.status === 304) return response;
  const error = await errorOf(response);
  if (error.status === 401 && error.code === 'TEJGA0401') onSessionEnd();
  throw error;
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

const client = createClient<paths>({ baseUrl: '', fetch: politeFetch });
client.use(sayHeaders);

export const { GET, POST, PUT, DELETE } = client;

/** The answer of a call, of which only success comes back: everything else was raised on the way. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}
