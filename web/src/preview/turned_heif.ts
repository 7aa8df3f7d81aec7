// Rotates a HEIC picture by 90 degrees without touching its pixels: only the rotation in its properties changes.

const FULL_BOX = new Set(['meta']);
const WAY = ['meta', 'iprp', 'ipco'];
const HEADER = 8;
const MAX_BOXES = 2000;

/** The file rotated clockwise; null if it is not a HEIC or has no rotation to change. */
export function turnedHeif(file: ArrayBuffer, type: string): Blob | null {
  const view = new DataView(file);
  if (file.byteLength < 12 || nameAt(view, 0) !== 'ftyp') return null;
  const places = rotations(view, 0, file.byteLength, 0);
  if (!places.length) return null;
  const copy = new Uint8Array(file.slice(0));
  // The picture and its thumbnail may have one each. It counts quarters counter-clockwise.
  for (const place of places) copy[place] = (copy[place]! & 0xfc) | ((copy[place]! + 3) & 3);
  return new Blob([copy], { type });
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
}

/** Where the angles are, in the boxes between two places. */
function rotations(view: DataView, from: number, to: number, depth: number): number[] {
  const found: number[] = [];
  for (let at = from, count = 0; at + HEADER <= to && count < MAX_BOXES; count++) {
    const size = view.getUint32(at);
    // 0: up to the end of the file. 1: a long one; neither holds properties.
    const end = size === 1 && at + 16 <= to ? at + Number(view.getBigUint64(at + 8)) : at + (size || to - at);
    if (end <= at + HEADER || end > to) break;
    const name = nameAt(view, at);
    if (depth === WAY.length && name === 'irot' && end >= at + HEADER + 1) found.push(at + HEADER);
    else if (name === WAY[depth])
      found.push(...rotations(view, at + HEADER + (FULL_BOX.has(name) ? 4 : 0), end, depth + 1));
    at = end;
  }
  return found;
}
