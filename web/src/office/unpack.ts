// The parts of an office document, which is a ZIP file. It is untrusted: what it unpacks to is limited before
// anything is unpacked, and no part becomes larger than the directory says.
import { unzipSync } from 'fflate';

const MAX_PARTS = 5000;
const MAX_UNPACKED = 150 * 1024 * 1024;
/** Texts and pictures. Programs, films, fonts and other documents inside are never unpacked. */
const WANTED = /\.(?:xml|rels|png|jpe?g|gif|webp|bmp|svg)$/i;

export type Parts = Record<string, Uint8Array<ArrayBuffer>>;

export function unpacked(bytes: ArrayBuffer, wanted = WANTED): Parts {
  let count = 0;
  let total = 0;
  return unzipSync(new Uint8Array(bytes), {
    filter({ name, originalSize }) {
      if (!wanted.test(name)) return false;
      count += 1;
      total += originalSize;
      if (count > MAX_PARTS || total > MAX_UNPACKED) throw new RangeError('The document is too large when unpacked.');
      return true;
    },
  }) as Parts;
}
