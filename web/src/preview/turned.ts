// Rotates a JPEG by 90 degrees without touching its pixels: only the orientation in its Exif data changes. Where there is
// none, it is added; everything else stays byte for byte.

/** The orientation after another quarter turn clockwise, by the current one. */
const NEXT: Record<number, number> = { 1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2 };
const ORIENTATION = 0x0112;
const SHORT = 3;
const LONG = 4;
const MAX_ENTRIES = 500;
const ENTRY = 12;
const START_OF_SCAN = 0xffda;
const APP0 = 0xffe0;
const APP1 = 0xffe1;
/** A segment states its length in two bytes, which count themselves. */
const MAX_SEGMENT = 0xffff;
const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];

type Bytes = Uint8Array<ArrayBuffer>;

/** The file rotated clockwise; null if it is not a JPEG, or if its Exif data leaves no room for the orientation. */
export function turnedClockwise(file: ArrayBuffer): Blob | null {
  const view = new DataView(file);
  if (file.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  const exif = exifIn(view);
  if (!exif) {
    const at = startOfExif(view);
    return jpeg(file.slice(0, at), segment(withOrientation(emptyTiff(), NEXT[1]!)!), file.slice(at));
  }
  const tiff = new Uint8Array(file.slice(exif.from, exif.to));
  const place = orientationIn(view, exif.from, exif.to);
  const current = place ? view.getUint16(place.place, place.little) : 1;
  const turned = withOrientation(tiff, NEXT[current] ?? NEXT[1]!);
  if (!turned || turned.length + EXIF.length + 2 > MAX_SEGMENT) return null;
  return jpeg(file.slice(0, exif.segment), segment(turned), file.slice(exif.to));
}

export interface OrientationPlace {
  place: number;
  little: boolean;
}

/** Where Exif data between two places keeps the orientation, as two bytes. */
export function orientationIn(view: DataView, start: number, end: number): OrientationPlace | null {
  const directory = firstDirectory(view, start, end);
  if (!directory) return null;
  const { little } = directory;
  for (const place of directory.entries) {
    if (view.getUint16(place, little) !== ORIENTATION || view.getUint32(place + 4, little) !== 1) continue;
    const type = view.getUint16(place + 2, little);
    if (type === SHORT) return { place: place + 8, little };
    // Some programs write four bytes: the number is in the lower half.
    if (type === LONG) return { place: place + (little ? 8 : 10), little };
  }
  return null;
}

interface Directory {
  /** Where it begins. */
  at: number;
  entries: number[];
  little: boolean;
}

function firstDirectory(view: DataView, start: number, end: number): Directory | null {
  if (start + 8 > end) return null;
  const order = view.getUint16(start);
  const little = order === 0x4949;
  if (!little && order !== 0x4d4d) return null;
  const at = start + view.getUint32(start + 4, little);
  if (at + 2 > end) return null;
  const count = view.getUint16(at, little);
  if (count > MAX_ENTRIES || at + 2 + count * ENTRY + 4 > end) return null;
  return { at, little, entries: Array.from({ length: count }, (_, entry) => at + 2 + entry * ENTRY) };
}

/**
 * Exif data with this orientation; null if it cannot be read. A missing one needs a longer directory: that is written to
 * the end, so that nothing moves to which another place refers.
 */
function withOrientation(tiff: Bytes, orientation: number): Bytes | null {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const place = orientationIn(view, 0, tiff.length);
  if (place) {
    view.setUint16(place.place, orientation, place.little);
    return tiff;
  }
  const directory = firstDirectory(view, 0, tiff.length);
  if (!directory) return null;
  const { little, at } = directory;
  const kept = directory.entries.filter((entry) => view.getUint16(entry, little) !== ORIENTATION);
  const before = kept.filter((entry) => view.getUint16(entry, little) < ORIENTATION).length;
  const end = at + 2 + directory.entries.length * ENTRY + 4;
  // Directories begin at even places.
  const start = end === tiff.length ? at : tiff.length + (tiff.length % 2);
  const longer = new Uint8Array(start + 2 + (kept.length + 1) * ENTRY + 4);
  const written = new DataView(longer.buffer);
  longer.set(tiff.subarray(0, start));
  written.setUint32(4, start, little);
  written.setUint16(start, kept.length + 1, little);
  kept.forEach((entry, number) => {
    const to = start + 2 + (number < before ? number : number + 1) * ENTRY;
    longer.set(tiff.subarray(entry, entry + ENTRY), to);
  });
  const added = start + 2 + before * ENTRY;
  written.setUint16(added, ORIENTATION, little);
  written.setUint16(added + 2, SHORT, little);
  written.setUint32(added + 4, 1, little);
  written.setUint16(added + 8, orientation, little);
  written.setUint32(longer.length - 4, view.getUint32(end - 4, little), little);
  return longer;
}

function emptyTiff(): Bytes {
  return new Uint8Array([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]);
}

interface Exif {
  /** Where its segment begins. */
  segment: number;
  from: number;
  to: number;
}

function exifIn(view: DataView): Exif | null {
  for (const { marker, from, to } of segments(view)) {
    const tiff = from + 4 + EXIF.length;
    if (marker !== APP1 || tiff > to) continue;
    if (EXIF.every((byte, at) => view.getUint8(from + 4 + at) === byte)) return { segment: from, from: tiff, to };
  }
  return null;
}

/** Behind the first bytes and the segment of JFIF, which has to be the first. */
function startOfExif(view: DataView): number {
  const [first] = segments(view);
  return first?.marker === APP0 ? first.to : 2;
}

function* segments(view: DataView): Generator<{ marker: number; from: number; to: number }> {
  for (let at = 2; at + 4 <= view.byteLength;) {
    const marker = view.getUint16(at);
    // Any number of such bytes may stand before a marker.
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    if ((marker & 0xff00) !== 0xff00 || marker === START_OF_SCAN) return;
    const to = at + 2 + view.getUint16(at + 2);
    if (to > view.byteLength || to < at + 4) return;
    yield { marker, from: at, to };
    at = to;
  }
}

function segment(tiff: Bytes): Bytes {
  const length = tiff.length + EXIF.length + 2;
  return new Uint8Array([APP1 >> 8, APP1 & 0xff, length >> 8, length & 0xff, ...EXIF, ...tiff]);
}

function jpeg(...parts: BlobPart[]): Blob {
  return new Blob(parts, { type: 'image/jpeg' });
}
