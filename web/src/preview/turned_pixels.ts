// Rotates a PNG or WebP picture by 90 degrees. Programs disagree on whether these formats have an orientation, so the
// pixels are rotated, without loss; all other metadata stays.
import { orientationIn } from './turned';

const PNG_SIGNATURE = 8;
const PNG_KEPT = new Set(['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'pHYs']);
const HAS_ALPHA = 0x10;
/** What a WebP file says about itself, and the bit for each in its head. */
const WEBP_KEPT: Record<string, number> = { EXIF: 0x08, 'XMP ': 0x04 };

interface Chunk {
  name: string;
  from: number;
  to: number;
}

/** The picture rotated clockwise; null if it is animated, or if the browser cannot write its format. */
export async function turnedPixels(file: ArrayBuffer, type: string): Promise<Blob | null> {
  const isPng = type === 'image/png';
  const chunks = isPng ? pngChunks(new DataView(file)) : webpChunks(new DataView(file));
  if (chunks.some(({ name }) => name === 'acTL' || name === 'ANIM')) return null;
  const bitmap = await createImageBitmap(new Blob([file], { type }));
  const canvas = new OffscreenCanvas(bitmap.height, bitmap.width);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.translate(bitmap.height, 0);
  context.rotate(Math.PI / 2);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  // The best quality of WebP is without loss.
  const turned = await canvas.convertToBlob({ type, quality: 1 });
  if (turned.type !== type) return null;
  const bytes = await turned.arrayBuffer();
  return isPng ? pngWith(bytes, file, chunks) : webpWith(bytes, file, chunks, canvas);
}

function pngChunks(view: DataView): Chunk[] {
  const found: Chunk[] = [];
  for (let at = PNG_SIGNATURE; at + 12 <= view.byteLength;) {
    const to = at + 12 + view.getUint32(at);
    if (to > view.byteLength) break;
    found.push({ name: nameAt(view, at + 4), from: at, to });
    at = to;
  }
  return found;
}

function webpChunks(view: DataView): Chunk[] {
  const found: Chunk[] = [];
  for (let at = 12; at + 8 <= view.byteLength;) {
    const size = view.getUint32(at + 4, true);
    const to = at + 8 + size + (size % 2);
    if (at + 8 + size > view.byteLength) break;
    found.push({ name: nameAt(view, at), from: at, to: Math.min(to, view.byteLength) });
    at = to;
  }
  return found;
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

/** The bytes of a chunk, for a picture that stands upright: its Exif data no longer asks for a rotation. */
function upright(file: ArrayBuffer, { name, from, to }: Chunk): Uint8Array<ArrayBuffer> {
  const copy = file.slice(from, to);
  if (name === 'eXIf' || name === 'EXIF') {
    const view = new DataView(copy);
    // Some programs also write the header of a JPEG segment.
    const start = view.byteLength > 14 && view.getUint32(8) === 0x45786966 ? 14 : 8;
    const at = orientationIn(view, start, view.byteLength);
    if (at) view.setUint16(at.place, 1, at.little);
  }
  if (name === 'pHYs')
    new Uint8Array(copy).set([...new Uint8Array(file, from + 12, 4), ...new Uint8Array(file, from + 8, 4)], 8);
  if (name === 'eXIf' || name === 'pHYs')
    new DataView(copy).setUint32(copy.byteLength - 4, crc(new Uint8Array(copy, 4, copy.byteLength - 8)));
  return new Uint8Array(copy);
}

function pngWith(turned: ArrayBuffer, file: ArrayBuffer, chunks: Chunk[]): Blob {
  const head = PNG_SIGNATURE + 25;
  const kept = chunks.filter(({ name }) => PNG_KEPT.has(name)).map((chunk) => upright(file, chunk));
  return new Blob([turned.slice(0, head), ...kept, turned.slice(head)], { type: 'image/png' });
}

function webpWith(
  turned: ArrayBuffer,
  file: ArrayBuffer,
  chunks: Chunk[],
  { width, height }: { width: number; height: number },
): Blob {
  const kept = chunks.filter(({ name }) => name in WEBP_KEPT);
  const type = 'image/webp';
  const pixels = webpChunks(new DataView(turned)).filter(({ name }) => /^VP8[ L]$|^ALPH$/.test(name));
  if (!kept.length || !pixels.length) return new Blob([turned], { type });
  const body = [
    ...pixels.map(({ from, to }) => new Uint8Array(turned.slice(from, to))),
    ...kept.map((chunk) => upright(file, chunk)),
  ];
  const length = body.reduce((sum, part) => sum + part.byteLength, 0) + 18;
  const head = new DataView(new ArrayBuffer(30));
  [...'RIFF'].forEach((letter, at) => head.setUint8(at, letter.charCodeAt(0)));
  head.setUint32(4, length + 4, true);
  [...'WEBPVP8X'].forEach((letter, at) => head.setUint8(8 + at, letter.charCodeAt(0)));
  head.setUint32(16, 10, true);
  head.setUint8(
    20,
    kept.reduce((bits, { name }) => bits | WEBP_KEPT[name]!, HAS_ALPHA),
  );
  for (const [at, side] of [
    [24, width - 1],
    [27, height - 1],
  ] as const) {
    head.setUint16(at, side & 0xffff, true);
    head.setUint8(at + 2, side >> 16);
  }
  return new Blob([head.buffer, ...body], { type });
}

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
