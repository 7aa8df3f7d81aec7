// How far everything is, how fast it goes, and how long it will take.

export interface Amount {
  files: number;
  bytes: number;
}

// A file costs time beside its bytes; counted so, ten thousand small ones advance as evenly as one large one.
const BYTES_PER_FILE = 32 * 1024;
const WINDOW_MS = 8000;

export function weight({ files, bytes }: Amount): number {
  return bytes + files * BYTES_PER_FILE;
}

/** 0 to 1. */
export function share(done: Amount, all: Amount): number {
  const whole = weight(all);
  return whole ? Math.min(1, weight(done) / whole) : 0;
}

interface Mark {
  at: number;
  done: Amount;
}

export class Pace {
  #marks: Mark[] = [];

  note(done: Amount, at: number): void {
    this.#marks.push({ at, done });
    while (this.#marks.length > 2 && at - this.#marks[0]!.at > WINDOW_MS) this.#marks.shift();
  }

  /** After a pause the old marks tell nothing. */
  reset(): void {
    this.#marks = [];
  }

  bytesPerSecond(): number {
    return this.#perSecond((done) => done.bytes);
  }

  /** Null where it cannot be said yet. */
  secondsLeft(done: Amount, all: Amount): number | null {
    const speed = this.#perSecond(weight);
    return speed > 0 ? Math.ceil((weight(all) - weight(done)) / speed) : null;
  }

  #perSecond(of: (done: Amount) => number): number {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (!first || !last || last.at - first.at < 1000) return 0;
    return Math.max(0, ((of(last.done) - of(first.done)) * 1000) / (last.at - first.at));
  }
}
