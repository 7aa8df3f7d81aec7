// Rotates a JPEG by 90 degrees without touching its pixels: only the orientation in its metadata changes.

/** The orientation after another quarter turn clockwise, by the current one. */
const NEXT: Record<number, number> = { 1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2 };
const ORIENTATION = 0x0112;
const SHORT = 3;
const MAX_ENTRIES = 500;

/** The file rotated clockwise; null if it is not a JPEG. */
export function turnedClockwise(file: ArrayBuffer): Blob | null {
  const view = new DataView(file);
  if (file.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  const at = orientationAt(view);
  if (at) {
    const copy = file.slice(0);
    const turned = NEXT[view.getUint16(at.place, at.little)] ?? NEXT[1]!;
    new DataView(copy).setUint16(at.place, turned, at.little);
    return new Blob([copy], { type: 'image/jpeg' });
  }
  // Behind the first bytes, before everything else.
  return new Blob([file.slice(0, 2), exifWith(NEXT[1]!), file.slice(2)], { type: 'image/jpeg' });
}

export interface OrientationPlace {
  place: number;
  little: boolean;
}

/** Where Exif data between two places keeps the orientation. */
export function orientationIn(view: DataView, start: number, end: number): OrientationPlace | null {
  if (start + 8 > end) return null;
  const little = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, little);
  if (directory + 2 > end) return null;
  const count = Math.min(MAX_ENTRIES, view.getUint16(directory, little));
  for (let entry = 0; entry < count; entry++) {
    const place = directory + 2 + entry * 12;
    if (place + 12 > end) return null;
    if (view.getUint16(place, little) === ORIENTATION && view.getUint16(place + 2, little) === SHORT)
      return { place: place + 8, little };
  }
  return null;
}

function orientationAt(view: DataView): OrientationPlace | null {
  for (let at = 2; at + 18 < view.byteLength;) {
    const marker = view.getUint16(at);
    if ((marker & 0xff00) !== 0xff00 || marker === 0xffda) return null;
    const length = view.getUint16(at + 2);
    if (marker === 0xffe1 && view.getUint32(at + 4) === 0x45786966) {
      return orientationIn(view, at + 10, Math.min(view.byteLength, at + 2 + length));
    }
    at += 2 + length;
  }
  return null;
}

/** A segment that contains only the orientation. */
function exifWith(orientation: number): Uint8Array<ArrayBuffer> {
  const tiff = [
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    0x01,
    0x12,
    0,
    SHORT,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  const length = body.length + 2;
  return new Uint8Array([0xff, 0xe1, length >> 8, length & 0xff, ...body]);
}
