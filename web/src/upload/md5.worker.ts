// Computes MD5 in a worker.
import { md5Of } from './md5';

export type HashRequest = { id: number; blob: Blob } | { id: number; stop: true };
export type HashReply =
  | { id: number; read: number }
  | { id: number; md5: string }
  | { id: number; failed: { name: string; message: string } };

const stopped = new Set<number>();
const running = new Set<number>();

self.onmessage = ({ data }: MessageEvent<HashRequest>) => {
  if ('stop' in data) {
    if (running.has(data.id)) stopped.add(data.id);
    return;
  }
  const { id, blob } = data;
  running.add(id);
  const onRead = (read: number): void => reply({ id, read });
  md5Of(blob, () => stopped.has(id), onRead)
    .then((hash) => hash && reply({ id, md5: hash }))
    .catch((problem: Error) => reply({ id, failed: { name: problem.name, message: problem.message } }))
    .finally(() => {
      running.delete(id);
      stopped.delete(id);
    });
};

function reply(message: HashReply): void {
  self.postMessage(message);
}
