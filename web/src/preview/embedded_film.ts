// The film inside a motion photo: a whole MP4 file behind the picture's own bytes.

const FTYP = [0x66, 0x74, 0x79, 0x70];
/** Bytes needed of an MP4 file's first box: its size, its name and the brands. */
const LEAST_BOX = 12;
const MOST_BOX = 1024;

export function embeddedFilm(file: ArrayBuffer): Blob | null {
  const bytes = new Uint8Array(file);
  const view = new DataView(file);
  // From the end: a preview picture inside the metadata cannot contain one, but other data may look like it.
  for (let at = bytes.lastIndexOf(FTYP[0]!); at >= 4; at = bytes.lastIndexOf(FTYP[0]!, at - 1)) {
    if (FTYP.some((letter, offset) => bytes[at + offset] !== letter)) continue;
    const size = view.getUint32(at - 4);
    if (size >= LEAST_BOX && size <= MOST_BOX) return new Blob([file.slice(at - 4)], { type: 'video/mp4' });
  }
  return null;
}
