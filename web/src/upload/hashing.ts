// MD5 of files, reckoned by a worker that starts with the first of them.
import { trustedScript } from '../app/trusted';
import workerAddress from './md5.worker?worker&url';
import type { Asked, Told } from './md5.worker';

export type Hash = (blob: Blob, signal: AbortSignal, onRead?: (bytes: number) => void) => Promise<string>;

interface Waiting {
  onRead: (bytes: number) => void;
  resolve: (md5: string) => void;
  reject: (problem: unknown) => void;
}

class Hashing {
  #worker: Worker | undefined;
  #waiting = new Map<number, Waiting>();
  #last = 0;

  md5: Hash = (blob, signal, onRead = () => {}) => {
    signal.throwIfAborted();
    const id = ++this.#last;
    const worker = this.#started();
    return new Promise<string>((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(id);
        this.#ask(worker, { id, stop: true });
        reject(signal.reason as Error);
      };
      const ended =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', stop);
          this.#waiting.delete(id);
          then(value);
        };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(id, { onRead, resolve: ended(resolve), reject: ended(reject) });
      this.#ask(worker, { id, blob });
    });
  };

  #ask(worker: Worker, asked: Asked): void {
    worker.postMessage(asked);
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(trustedScript(workerAddress), { type: 'module', name: 'md5' });
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.#heard(data);
    worker.onerror = (event) => {
      // A worker that could not be loaded is started anew by the next question.
      this.#worker = undefined;
      worker.terminate();
      for (const one of [...this.#waiting.values()]) one.reject(new Error(event.message || 'The hash worker ended.'));
    };
    return (this.#worker = worker);
  }

  #heard(told: Told): void {
    const waiting = this.#waiting.get(told.id);
    if (!waiting) return;
    if ('md5' in told) waiting.resolve(told.md5);
    else if ('read' in told) waiting.onRead(told.read);
    else waiting.reject(new DOMException(told.failed.message, told.failed.name));
  }
}

const hashing = new Hashing();
export const md5: Hash = hashing.md5;
