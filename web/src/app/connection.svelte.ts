// Whether the server answers; the bar at the top of the page tells it.

const LOOK_EVERY_MS = 4000;

class Connection {
  isLost = $state(false);
  #looking: ReturnType<typeof setInterval> | undefined;
  #waiting = new Set<() => void>();

  lost(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#looking = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  found(): void {
    if (!this.isLost) return;
    this.isLost = false;
    clearInterval(this.#looking);
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  /** Ends when the server answers again; at once where it was never lost. */
  back(): Promise<void> {
    return this.isLost ? new Promise((resolve) => this.#waiting.add(resolve)) : Promise.resolve();
  }

  async look(): Promise<void> {
    try {
      const response = await fetch('/manifest.webmanifest', { cache: 'no-store', method: 'GET' });
      if (response.status < 500) this.found();
    } catch {
      // Still lost.
    }
  }
}

export const connection = new Connection();

export function watchConnection(): void {
  addEventListener('offline', () => connection.lost());
  addEventListener('online', () => void connection.look());
}
