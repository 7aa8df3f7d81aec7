// Sends a request with upload progress, which fetch does not report.
import { connection } from '../app/connection.svelte';
import { Unreachable } from '../api/errors';
import type { SentResponse } from './server';

// Without progress for this long, the connection is considered dead.
const STALLED_MS = 90_000;

export function sendWithProgress(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Blob | FormData,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<SentResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    const resetTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), STALLED_MS);
    };
    const abort = (): void => request.abort();
    const cleanUp = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const fail = (): void => {
      cleanUp();
      if (signal.aborted) return reject(signal.reason as Error);
      connection.markLost();
      reject(new Unreachable());
    };
    request.open(method, path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('Accept-Language', navigator.language || 'en');
    request.upload.onprogress = (event) => {
      resetTimer();
      onSent(event.loaded);
    };
    request.onerror = request.onabort = request.ontimeout = fail;
    request.onload = () => {
      cleanUp();
      connection.markRestored();
      resolve({ status: request.status, body: bodyOf(request), retryAfter: retryAfterOf(request) });
    };
    signal.addEventListener('abort', abort);
    resetTimer();
    request.send(body);
  });
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
