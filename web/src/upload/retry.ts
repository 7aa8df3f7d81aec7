// Retrying uploads: transient errors with exponential backoff; a lost connection is awaited first.
import { delay } from '../api/delay';
import { ApiError, Unreachable, isTransient } from '../api/errors';

export interface Connection {
  /** Resolves when the server can be reached. */
  restored(): Promise<void>;
}

const MAX_ATTEMPTS = 8;
// A chunk that keeps arriving damaged was changed on the disk, not in transit.
const MAX_DAMAGED_ATTEMPTS = 3;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
const BUSY = 'SKY4002';
const CHUNK_DAMAGED = 'SKY4003';

/** Run `work` until it succeeds, fails permanently or has used up its attempts; it gets the number of failed attempts. */
export async function withRetry<T>(
  work: (failedAttempts: number) => Promise<T>,
  connection: Connection,
  signal?: AbortSignal,
): Promise<T> {
  for (let failed = 0; ; failed++) {
    signal?.throwIfAborted();
    try {
      return await work(failed);
    } catch (problem) {
      if (signal?.aborted || failed + 1 >= attemptsFor(problem)) throw problem;
      if (problem instanceof Unreachable) await abortable(connection.restored(), signal);
      await delay(retryDelayMs(problem, failed), signal);
    }
  }
}

function attemptsFor(problem: unknown): number {
  if (isTransient(problem)) return MAX_ATTEMPTS;
  const code = problem instanceof ApiError ? problem.code : '';
  return code === BUSY ? MAX_ATTEMPTS : code === CHUNK_DAMAGED ? MAX_DAMAGED_ATTEMPTS : 1;
}

/** The server's Retry-After, else exponential backoff, with jitter so clients do not retry all at once. */
export function retryDelayMs(problem: unknown, failed: number, jitter = Math.random()): number {
  const retryAfter = problem instanceof ApiError ? problem.retryAfter : null;
  const wait = retryAfter ? retryAfter * 1000 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failed);
  // Right after an outage the first retry is quick.
  return problem instanceof Unreachable && failed === 0 ? 200 * jitter : wait * (1 + jitter / 4);
}

/** The promise's result, or the signal's reason if it is aborted first; shared work continues. */
export function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
