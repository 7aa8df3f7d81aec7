// One request with a body that may be large, and how much of it has gone.
import { connection } from '../app/connection.svelte';
import { ApiError, Unreachable } from '../api/errors';

export interface Answered {
  status: number;
  body: unknown;
  retryAfter: number | null;
}

// A line that is dead without saying so moves no byte for this long.
const SILENCE_MS = 90_000;

export function sendBytes(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Blob | FormData,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const request = new XMLHttpRequest();
    let watch: ReturnType<typeof setTimeout>;
    const heard = (): void => {
      clearTimeout(watch);
      watch = setTimeout(() => request.abort(), SILENCE_MS);
    };
    const stop = (): void => request.abort();
    const end = (): void => {
      clearTimeout(watch);
      signal.removeEventListener('abort', stop);
    };
    const broken = (): void => {
      end();
      if (signal.aborted) return reject(signal.reason as Error);
      connection.lost();
      reject(new Unreachable());
    };
    request.open(method, path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('Accept-Language', navigator.language || 'en');
    request.upload.onprogress = (event) => {
      heard();
      onSent(event.loaded);
    };
    request.onerror = request.onabort = request.ontimeout = broken;
    request.onload = () => {
      end();
      connection.found();
      resolve({ status: request.status, body: bodyOf(request), retryAfter: retryAfterOf(request) });
    };
    signal.addEventListener('abort', stop);
    heard();
    request.send(body);
  });
}

/** What an answer refuses with; our server says code and message, a proxy in between may say anything. */
export function errorIn({ status, body, retryAfter }: Answered): ApiError {
  const told = body as { code?: string; message?: string } | null;
  return new ApiError(status, told?.code ?? '', told?.message ?? '', retryAfter);
}

function bodyOf(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText) as unknown;
  } catch {
    return null;
  }
}

function retryAfterOf(request: XMLHttpRequest): number | null {
  const seconds = Number(request.getResponseHeader('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
