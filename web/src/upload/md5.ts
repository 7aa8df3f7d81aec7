// MD5 of a file. Large ones are read in blocks, so only one block is in memory at a time.
import { createMD5, md5 } from 'hash-wasm';

const BLOCK = 4 * 1024 * 1024;

/** Null if it was stopped. */
export async function md5Of(
  blob: Blob,
  isStopped: () => boolean = () => false,
  onRead: (bytes: number) => void = () => {},
): Promise<string | null> {
  if (blob.size <= 2 * BLOCK) return md5(new Uint8Array(await blob.arrayBuffer()));
  const hash = await createMD5();
  for (let start = 0; start < blob.size; start += BLOCK) {
    if (isStopped()) return null;
    hash.update(new Uint8Array(await blob.slice(start, start + BLOCK).arrayBuffer()));
    onRead(Math.min(blob.size, start + BLOCK));
  }
  return hash.digest();
}
