// Computes MD5 in a worker. Large files are read in blocks, so only one block is in memory at a time.
import { createMD5, md5 } from 'hash-wasm';

export type HashRequest = { id: number; blob: Blob } | { id: number; stop: true };
export type HashReply =
  | { id: number; read: number }
  | { id: number; md5: string }
  | { id: number; failed: { name: string; message: string } };

const BLOCK = 4 * 1024 * 1024;
const stopped = new Set<number>();
const running = new Set<number>();

self.onmessage = ({ data }: MessageEvent<HashRequest>) => {
  if ('stop' in data) {
    if (running.has(data.id)) stopped.add(data.id);
    return;
  }
  const { id, blob } = data;
  running.add(id);
  hashOf(id, blob)
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

async function hashOf(id: number, blob: Blob): Promise<string | null> {
  if (blob.size <= 2 * BLOCK) return md5(new Uint8Array(await blob.arrayBuffer()));
  const hash = await createMD5();
  for (let start = 0; start < blob.size; start += BLOCK) {
    if (stopped.has(id)) return null;
    hash.update(new Uint8Array(await blob.slice(start, start + BLOCK).arrayBuffer()));
    reply({ id, read: Math.min(blob.size, start + BLOCK) });
  }
  return hash.digest();
}
