// Reads the common EXIF fields of a JPEG. Damaged files return the fields that can be read.

export interface Exif {
  camera?: string;
  lens?: string;
  /** In the camera's local time: 2024-06-01T12:30:00. */
  taken?: string;
  width?: number;
  height?: number;
  /** Seconds. */
  exposure?: number;
  aperture?: number;
  iso?: number;
  /** Millimetres. */
  focalLength?: number;
  latitude?: number;
  longitude?: number;
}

type Value = string | number | number[];
type Fields = Map<number, Value>;

const EXIF_POINTER = 0x8769;
const GPS_POINTER = 0x8825;
const BYTES_OF: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 11: 4, 12: 8 };
const MAX_FIELDS = 400;

export function exifOf(bytes: ArrayBuffer): Exif {
  const jpeg = new DataView(bytes);
  const tiff = tiffIn(jpeg);
  return tiff ? parseTiff(tiff) : {};
}

/** The TIFF structure inside the file; null if there is none. */
function tiffIn(jpeg: DataView): DataView | null {
  if (jpeg.byteLength < 4 || jpeg.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 10 < jpeg.byteLength;) {
    const marker = jpeg.getUint16(at);
    // The image data starts, or this is not a JPEG.
    if ((marker & 0xff00) !== 0xff00 || marker === 0xffda) return null;
    const length = jpeg.getUint16(at + 2);
    const isExif = marker === 0xffe1 && jpeg.getUint32(at + 4) === 0x45786966 && jpeg.getUint16(at + 8) === 0;
    if (isExif) {
      const start = at + 10;
      return new DataView(jpeg.buffer, jpeg.byteOffset + start, Math.min(length - 8, jpeg.byteLength - start));
    }
    at += 2 + length;
  }
  return null;
}

function parseTiff(tiff: DataView): Exif {
  if (tiff.byteLength < 8) return {};
  const little = tiff.getUint16(0) === 0x4949;
  const main = fieldsAt(tiff, tiff.getUint32(4, little), little);
  const camera = fieldsAt(tiff, number(main.get(EXIF_POINTER)), little);
  const gps = fieldsAt(tiff, number(main.get(GPS_POINTER)), little);
  const found: { [Name in keyof Exif]: Exif[Name] | undefined } = {
    camera: cameraName(text(main.get(0x010f)), text(main.get(0x0110))),
    lens: text(camera.get(0xa434)),
    taken: timestamp(text(camera.get(0x9003)) ?? text(main.get(0x0132))),
    width: number(camera.get(0xa002)),
    height: number(camera.get(0xa003)),
    exposure: number(camera.get(0x829a)),
    aperture: number(camera.get(0x829d)),
    iso: number(camera.get(0x8827)),
    focalLength: number(camera.get(0x920a)),
    latitude: degrees(gps.get(2), text(gps.get(1)) === 'S', 90),
    longitude: degrees(gps.get(4), text(gps.get(3)) === 'W', 180),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Exif;
}

function fieldsAt(tiff: DataView, start: number | undefined, little: boolean): Fields {
  const fields: Fields = new Map();
  if (!start || start + 2 > tiff.byteLength) return fields;
  const count = Math.min(tiff.getUint16(start, little), MAX_FIELDS);
  for (let entry = 0; entry < count; entry++) {
    const at = start + 2 + entry * 12;
    if (at + 12 > tiff.byteLength) break;
    const value = valueAt(tiff, at, little);
    if (value !== undefined) fields.set(tiff.getUint16(at, little), value);
  }
  return fields;
}

function valueAt(tiff: DataView, at: number, little: boolean): Value | undefined {
  const type = tiff.getUint16(at + 2, little);
  const count = tiff.getUint32(at + 4, little);
  const each = BYTES_OF[type];
  if (!each || !count || count > 1000) return undefined;
  const size = each * count;
  const start = size <= 4 ? at + 8 : tiff.getUint32(at + 8, little);
  if (start + size > tiff.byteLength) return undefined;
  if (type === 2) return ascii(new Uint8Array(tiff.buffer, tiff.byteOffset + start, count));
  const numbers = Array.from({ length: count }, (_, index) => numberAt(tiff, start + index * each, type, little));
  return count === 1 ? numbers[0]! : numbers;
}

function numberAt(tiff: DataView, at: number, type: number, little: boolean): number {
  switch (type) {
    case 3:
      return tiff.getUint16(at, little);
    case 4:
      return tiff.getUint32(at, little);
    case 5:
      return tiff.getUint32(at, little) / tiff.getUint32(at + 4, little);
    case 9:
      return tiff.getInt32(at, little);
    case 10:
      return tiff.getInt32(at, little) / tiff.getInt32(at + 4, little);
    case 11:
      return tiff.getFloat32(at, little);
    case 12:
      return tiff.getFloat64(at, little);
    default:
      return tiff.getUint8(at);
  }
}

function ascii(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}

function text(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

function number(value: Value | undefined): number | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'number' && Number.isFinite(first) ? first : undefined;
}

/** Many cameras repeat the maker in the model's name. */
function cameraName(maker: string | undefined, model: string | undefined): string | undefined {
  if (!maker || !model) return model ?? maker;
  const first = maker.split(' ')[0]!.toLowerCase();
  return model.toLowerCase().startsWith(first) ? model : `${maker} ${model}`;
}

function timestamp(value: string | undefined): string | undefined {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(value ?? '');
  return found && found[1] !== '0000' ? `${found[1]}-${found[2]}-${found[3]}T${found[4]}` : undefined;
}

function degrees(value: Value | undefined, isNegative: boolean, limit: number): number | undefined {
  if (!Array.isArray(value) || value.length < 3) return undefined;
  const sum = value[0]! + value[1]! / 60 + value[2]! / 3600;
  return Number.isFinite(sum) && sum <= limit ? (isNegative ? -sum : sum) : undefined;
}
