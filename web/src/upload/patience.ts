// Trying again: what only fails for a while is repeated, later and later; a lost connection is waited for.
import { pause } from '../api/client';
import { ApiError, Unreachable, isPassing } from '../api/errors';

export interface Line {
  back(): Promise<void>;
}

const TRIES = 8;
// A chunk that is damaged again and again was changed on the disk, and not on its way.
const TRIES_OF_DAMAGE = 3;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const BUSY = 'SKY4002';
const CHUNK_DAMAGED = 'SKY4003';

/** The work is told how often it was tried before. */
export async function persistently<T>(
  work: (tried: number) => Promise<T>,
  line: Line,
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    signal?.throwIfAborted();
    try {
      return await work(tried);
    } catch (problem) {
      if (signal?.aborted || tried + 1 >= triesOf(problem)) throw problem;
      if (problem instanceof Unreachable) await unlessStopped(line.back(), signal);
      await pause(waitMs(problem, tried), signal);
    }
  }
}

function triesOf(problem: unknown): number {
  if (isPassing(problem)) return TRIES;
  const code = problem instanceof ApiError ? problem.code : '';
  return code === BUSY ? TRIES : code === CHUNK_DAMAGED ? TRIES_OF_DAMAGE : 1;
}

/** As long as the server asks for, else twice as long each time; a bit by chance, so that not all come at once. */
export function waitMs(problem: unknown, tried: number, chance = Math.random()): number {
  const asked = problem instanceof ApiError ? problem.retryAfter : null;
  const wait = asked ? asked * 1000 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried);
  // Right after an outage the first repetition is quick.
  return problem instanceof Unreachable && tried === 0 ? 200 * chance : wait * (1 + chance / 4);
}

/** Its outcome, or the reason of the stop where that comes first; what is shared by others goes on. */
export function unlessStopped<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
