// The beginning of a text file, decoded.
import { politeFetch } from '../api/client';
import { contentUrl, type Item } from '../files/item';

export const SHOWN_BYTES = 1024 * 1024;

export interface Text {
  text: string;
  /** There is more of it than is shown. */
  isCut: boolean;
}

export async function readText(item: Item, signal: AbortSignal): Promise<Text> {
  const bytes = await firstBytes(item, SHOWN_BYTES, signal);
  return { text: decoded(bytes), isCut: item.bytes > bytes.byteLength };
}

export async function firstBytes(item: Item, count: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (!item.bytes) return new Uint8Array();
  const headers = item.bytes > count ? { Range: `bytes=0-${count - 1}` } : undefined;
  const response = await politeFetch(new Request(contentUrl(item), { signal, ...(headers ? { headers } : {}) }));
  return new Uint8Array(await response.arrayBuffer()).subarray(0, count);
}

/** UTF-8, or UTF-16 where the file says so, or the old code of Western Europe where it is neither. */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // In a stream, a character that is cut at the end is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
