// Small files are sent in one request, larger ones in chunks, each starting at the server's offset.

export const SINGLE_REQUEST_BYTES = 4 * 1024 * 1024;
const MAX_CHUNK = 64 * 1024 * 1024;
const DEFAULT_CHUNK = 8 * 1024 * 1024;

export interface Chunk {
  start: number;
  end: number;
}

/** The next chunk, or null at the end of the file. */
export function nextChunk(offset: number, fileSize: number, chunkSize: number): Chunk | null {
  if (offset < 0 || offset > fileSize) throw new RangeError(`Offset ${offset} is outside of ${fileSize} bytes`);
  return offset === fileSize ? null : { start: offset, end: Math.min(fileSize, offset + chunkSize) };
}

/** The server's chunk size within limits. */
export function validChunkSize(requested: number): number {
  return Number.isInteger(requested) && requested > 0 ? Math.min(requested, MAX_CHUNK) : DEFAULT_CHUNK;
}
