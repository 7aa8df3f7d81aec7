// Reckons MD5 beside the page, piece by piece: of a large file only one piece is in memory at a time.
import { createMD5, md5 } from 'hash-wasm';

export type Asked = { id: number; blob: Blob } | { id: number; stop: true };
export type Told =
  | { id: number; read: number }
  | { id: number; md5: string }
  | { id: number; failed: { name: string; message: string } };

const PIECE = 4 * 1024 * 1024;
const stopped = new Set<number>();
const running = new Set<number>();

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  if ('stop' in data) {
    if (running.has(data.id)) stopped.add(data.id);
    return;
  }
  const { id, blob } = data;
  running.add(id);
  hashOf(id, blob)
    .then((hash) => hash && tell({ id, md5: hash }))
    .catch((problem: Error) => tell({ id, failed: { name: problem.name, message: problem.message } }))
    .finally(() => {
      running.delete(id);
      stopped.delete(id);
    });
};

function tell(told: Told): void {
  self.postMessage(told);
}

async function hashOf(id: number, blob: Blob): Promise<string | null> {
  if (blob.size <= 2 * PIECE) return md5(new Uint8Array(await blob.arrayBuffer()));
  const hash = await createMD5();
  for (let start = 0; start < blob.size; start += PIECE) {
    if (stopped.has(id)) return null;
    hash.update(new Uint8Array(await blob.slice(start, start + PIECE).arrayBuffer()));
    tell({ id, read: Math.min(blob.size, start + PIECE) });
  }
  return hash.digest();
}
