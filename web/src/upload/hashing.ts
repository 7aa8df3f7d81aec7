// MD5 of files, computed by a worker that starts with the first request.
import { trustedScript } from '../app/trusted';
import workerAddress from './md5.worker?worker&url';
import type { HashRequest, HashReply } from './md5.worker';

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
    const worker = this.#getWorker();
    return new Promise<string>((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(id);
        this.#post(worker, { id, stop: true });
        reject(signal.reason as Error);
      };
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', stop);
          this.#waiting.delete(id);
          then(value);
        };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(id, { onRead, resolve: settle(resolve), reject: settle(reject) });
      this.#post(worker, { id, blob });
    });
  };

  #post(worker: Worker, request: HashRequest): void {
    worker.postMessage(request);
  }

  #getWorker(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(trustedScript(workerAddress), { type: 'module', name: 'md5' });
    worker.onmessage = ({ data }: MessageEvent<HashReply>) => this.#receive(data);
    worker.onerror = (event) => {
      // The next request starts a new worker.
      this.#worker = undefined;
      worker.terminate();
      for (const waiting of [...this.#waiting.values()])
        waiting.reject(new Error(event.message || 'The hash worker ended.'));
    };
    return (this.#worker = worker);
  }

  #receive(reply: HashReply): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if ('md5' in reply) waiting.resolve(reply.md5);
    else if ('read' in reply) waiting.onRead(reply.read);
    else waiting.reject(new DOMException(reply.failed.message, reply.failed.name));
  }
}

const hashing = new Hashing();
export const md5: Hash = hashing.md5;
