// The progress of all uploads: how far, how fast, how much longer.

export interface Amount {
  files: number;
  bytes: number;
}

// The fixed cost of a file in bytes, so ten thousand small files advance as evenly as one large file.
const BYTES_PER_FILE = 32 * 1024;
const WINDOW_MS = 8000;

export function weight({ files, bytes }: Amount): number {
  return bytes + files * BYTES_PER_FILE;
}

/** 0 to 1. */
export function fraction(done: Amount, total: Amount): number {
  const whole = weight(total);
  return whole ? Math.min(1, weight(done) / whole) : 0;
}

interface Sample {
  at: number;
  done: Amount;
}

export class ProgressTracker {
  #samples: Sample[] = [];

  record(done: Amount, at: number): void {
    this.#samples.push({ at, done });
    while (this.#samples.length > 2 && at - this.#samples[0]!.at > WINDOW_MS) this.#samples.shift();
  }

  /** Samples from before a pause say nothing about the current speed. */
  reset(): void {
    this.#samples = [];
  }

  bytesPerSecond(): number {
    return this.#perSecond((done) => done.bytes);
  }

  /** Null while there is too little data. */
  secondsLeft(done: Amount, total: Amount): number | null {
    const speed = this.#perSecond(weight);
    return speed > 0 ? Math.ceil((weight(total) - weight(done)) / speed) : null;
  }

  #perSecond(of: (done: Amount) => number): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 1000) return 0;
    return Math.max(0, ((of(last.done) - of(first.done)) * 1000) / (last.at - first.at));
  }
}
