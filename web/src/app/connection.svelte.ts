// Whether the server can be reached. While it cannot, the page shows a bar and checks periodically.

import { at } from './place';

const CHECK_INTERVAL_MS = 4000;

class Connection {
  isLost = $state(false);
  #timer: ReturnType<typeof setInterval> | undefined;
  #waiting = new Set<() => void>();

  markLost(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS);
  }

  markRestored(): void {
    if (!this.isLost) return;
    this.isLost = false;
    clearInterval(this.#timer);
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }

  /** Resolves when the server can be reached: immediately if the connection is not lost. */
  restored(): Promise<void> {
    return this.isLost ? new Promise((resolve) => this.#waiting.add(resolve)) : Promise.resolve();
  }

  async check(): Promise<void> {
    try {
      const response = await fetch(at('/manifest.webmanifest'), { cache: 'no-store', method: 'GET' });
      if (response.status < 500) this.markRestored();
    } catch {
      // Still lost.
    }
  }
}

export const connection = new Connection();

export function watchConnection(): void {
  addEventListener('offline', () => connection.markLost());
  addEventListener('online', () => void connection.check());
}
