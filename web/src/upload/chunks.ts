// How a file is cut: small ones go in one call, larger ones chunk by chunk, each beginning where the server is.

export const IN_ONE_CALL_BYTES = 4 * 1024 * 1024;
const CHUNK_MAX = 64 * 1024 * 1024;
const CHUNK_USUAL = 8 * 1024 * 1024;

export interface Chunk {
  start: number;
  end: number;
}

/** The chunk that comes next, or null where nothing is left. */
export function nextChunk(offset: number, fileSize: number, chunkSize: number): Chunk | null {
  if (offset < 0 || offset > fileSize) throw new RangeError(`No place ${offset} in ${fileSize} bytes`);
  return offset === fileSize ? null : { start: offset, end: Math.min(fileSize, offset + chunkSize) };
}

/** The size that the server asks for, as far as it can be sent. */
export function goodChunkSize(asked: number): number {
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, CHUNK_MAX) : CHUNK_USUAL;
}
