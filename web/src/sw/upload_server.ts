// The upload calls of the service worker: the page's, sent with fetch. There is no progress to show, and no page to ask.
import createClient from 'openapi-fetch';
import { Unreachable, errorOf } from '../api/errors';
import { requestHeaders } from '../api/headers';
import type { paths } from '../api/schema';
import { serverAddress } from '../app/place';
import { serverOver, type Send, type Server } from '../upload/server';

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (problem) {
    if (request.signal.aborted) throw problem;
    throw new Unreachable(problem);
  }
}

/** The calls, ended by the signal. */
export function callsUntil(signal: AbortSignal): { server: Server; user: () => Promise<string> } {
  const client = createClient<paths>({
    baseUrl: serverAddress(),
    fetch: async (request) => {
      const response = await reach(new Request(request, { signal }));
      if (!response.ok) throw await errorOf(response);
      return response;
    },
  });
  client.use({
    onRequest({ request }) {
      for (const [name, value] of Object.entries(requestHeaders())) {
        if (!request.headers.has(name)) request.headers.set(name, value);
      }
      return request;
    },
  });
  const send: Send = async (method, path, headers, body, sending) => {
    const about = { ...headers, 'Accept-Language': navigator.language || 'en' };
    const response = await reach(new Request(path, { method, headers: about, body, signal: sending.signal }));
    const seconds = Number(response.headers.get('retry-after'));
    return {
      status: response.status,
      body: await response.json().catch(() => null),
      retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    };
  };
  const settings = async (): ReturnType<Server['settings']> =>
    (await client.GET('/app/settings', { params: { query: { os: 'web' } } })).data!;
  return {
    server: serverOver(client, send, settings),
    user: async () => (await client.GET('/x/v1/session')).data!.userId,
  };
}
