// The beginning of a text file, decoded.
import { fetchWithRetry } from '../api/client';
import { contentUrl, type Item } from '../files/item';

export const MAX_BYTES = 1024 * 1024;

export interface Text {
  text: string;
  /** Whether only the beginning was read. */
  isTruncated: boolean;
}

export async function readText(item: Item, signal: AbortSignal): Promise<Text> {
  const bytes = await firstBytes(item, MAX_BYTES, signal);
  return { text: decoded(bytes), isTruncated: item.bytes > bytes.byteLength };
}

export async function firstBytes(item: Item, count: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (!item.bytes) return new Uint8Array();
  const headers = item.bytes > count ? { Range: `bytes=0-${count - 1}` } : undefined;
  const response = await fetchWithRetry(new Request(contentUrl(item), { signal, ...(headers ? { headers } : {}) }));
  return new Uint8Array(await response.arrayBuffer()).subarray(0, count);
}

/** Decodes UTF-16 with a byte order mark, else UTF-8, else Windows-1252. */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // In streaming mode an incomplete character at the end is not an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
