import { describe, expect, test } from 'vitest';
import { exifOf } from '../src/preview/exif';
import { languageOf } from '../src/preview/languages';
import { decoded } from '../src/preview/text';
import { MAX_ZOOM, FULL_VIEW, fit, clamped, pinch, swipeGesture, doubleTap, zoomAt } from '../src/preview/zoom';

const FRAME = { width: 800, height: 600 };

describe('zoom', () => {
  test('a picture fits the frame, and a small one is not enlarged', () => {
    expect(fit({ width: 4000, height: 2000 }, FRAME)).toEqual({ width: 800, height: 400 });
    expect(fit({ width: 100, height: 50 }, FRAME)).toEqual({ width: 100, height: 50 });
  });

  test('the point under the pointer stays in place', () => {
    const point = { x: 120, y: -80 };
    const view = zoomAt(zoomAt(FULL_VIEW, 2, point), 1.5, point);
    expect(view.scale).toBe(3);
    // The place of the picture that was under the pointer at first.
    expect(view.x + point.x * 3).toBeCloseTo(point.x);
    expect(view.y + point.y * 3).toBeCloseTo(point.y);
  });

  test('has a minimum and a maximum', () => {
    expect(zoomAt(FULL_VIEW, 0.1, { x: 0, y: 0 }).scale).toBe(1);
    expect(zoomAt(FULL_VIEW, 100, { x: 0, y: 0 }).scale).toBe(MAX_ZOOM);
    expect(doubleTap(doubleTap(FULL_VIEW, { x: 5, y: 5 }), { x: 5, y: 5 })).toEqual(FULL_VIEW);
  });

  test('the picture’s edges stay outside the frame', () => {
    const shown = { width: 800, height: 400 };
    expect(clamped({ scale: 2, x: 9999, y: 9999 }, shown, FRAME)).toEqual({ scale: 2, x: 400, y: 100 });
    expect(clamped({ scale: 1.2, x: 0, y: 50 }, shown, FRAME)).toMatchObject({ y: 0 });
    expect(clamped({ scale: 0.5, x: 40, y: 40 }, shown, FRAME)).toEqual(FULL_VIEW);
  });

  test('two fingers zoom and move', () => {
    const view = pinch(
      FULL_VIEW,
      [
        { x: -50, y: 0 },
        { x: 50, y: 0 },
      ],
      [
        { x: -90, y: 10 },
        { x: 110, y: 10 },
      ],
    );
    expect(view).toEqual({ scale: 2, x: 10, y: 10 });
  });

  test('a swipe differs from a small movement', () => {
    expect(swipeGesture(-60, 5, 120, 360)).toBe('next');
    expect(swipeGesture(60, 5, 120, 360)).toBe('previous');
    expect(swipeGesture(-60, 5, 900, 360)).toBeNull();
    expect(swipeGesture(-200, 5, 900, 360)).toBe('next');
    expect(swipeGesture(3, 120, 150, 360)).toBe('close');
    expect(swipeGesture(3, -300, 150, 360)).toBeNull();
  });
});

/** A JPEG with nothing but these fields, of which a field is [tag, type, count, bytes]. */
function jpeg(main: Field[], exif: Field[] = [], gps: Field[] = []): ArrayBuffer {
  const tiff: number[] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const size = (fields: Field[]): number => 2 + fields.length * 12 + 4;
  const all = [...main, [0x8769, 4, 1, [0, 0, 0, 0]], [0x8825, 4, 1, [0, 0, 0, 0]]] as Field[];
  const exifAt = 8 + size(all);
  const gpsAt = exifAt + size(exif);
  let dataAt = gpsAt + size(gps);
  const data: number[] = [];
  all[all.length - 2]![3] = four(exifAt);
  all[all.length - 1]![3] = four(gpsAt);
  for (const fields of [all, exif, gps]) {
    tiff.push(...two(fields.length));
    for (const [tag, type, count, bytes] of fields) {
      tiff.push(...two(tag), ...two(type), ...four(count));
      if (bytes.length <= 4) tiff.push(...bytes, ...Array<number>(4 - bytes.length).fill(0));
      else {
        tiff.push(...four(dataAt));
        data.push(...bytes);
        dataAt += bytes.length;
      }
    }
    tiff.push(0, 0, 0, 0);
  }
  tiff.push(...data);
  const app1 = [0xff, 0xe1, ...two(tiff.length + 8), 0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  const app0 = [0xff, 0xe0, ...two(4), 1, 2];
  return new Uint8Array([0xff, 0xd8, ...app0, ...app1, 0xff, 0xda, 0, 0]).buffer;
}
type Field = [tag: number, type: number, count: number, bytes: number[]];
const two = (value: number): number[] => [value >> 8, value & 255];
const four = (value: number): number[] => [...two(value >>> 16), ...two(value & 0xffff)];
const ascii = (tag: number, text: string): Field => [tag, 2, text.length + 1, [...new TextEncoder().encode(text), 0]];
const share = (tag: number, ...pairs: [number, number][]): Field => [
  tag,
  5,
  pairs.length,
  pairs.flatMap(([above, below]) => [...four(above), ...four(below)]),
];

describe('EXIF data', () => {
  test('camera, exposure and coordinates', () => {
    const found = exifOf(
      jpeg(
        [ascii(0x010f, 'Canon'), ascii(0x0110, 'Canon EOS R5')],
        [
          share(0x829a, [1, 250]),
          share(0x829d, [28, 10]),
          [0x8827, 3, 1, two(400)],
          ascii(0x9003, '2024:06:01 12:30:00'),
          share(0x920a, [50, 1]),
        ],
        [ascii(1, 'S'), share(2, [52, 1], [30, 1], [0, 1]), ascii(3, 'E'), share(4, [13, 1], [24, 1], [36, 1])],
      ),
    );
    expect(found).toEqual({
      camera: 'Canon EOS R5',
      taken: '2024-06-01T12:30:00',
      exposure: 1 / 250,
      aperture: 2.8,
      iso: 400,
      focalLength: 50,
      latitude: -52.5,
      longitude: 13.41,
    });
  });

  test('damaged, truncated and other files have none', () => {
    expect(exifOf(new ArrayBuffer(0))).toEqual({});
    expect(exifOf(new TextEncoder().encode('no picture at all').buffer as ArrayBuffer)).toEqual({});
    const whole = jpeg([ascii(0x0110, 'A camera with a long name')]);
    for (let length = 0; length < whole.byteLength; length++) exifOf(whole.slice(0, length));
    expect(exifOf(whole)).toEqual({ camera: 'A camera with a long name' });
    expect(exifOf(jpeg([], [share(0x829a, [1, 0])]))).toEqual({});
  });
});

describe('text', () => {
  test('an incomplete character at the end is left out', () => {
    const bytes = new TextEncoder().encode('grün');
    expect(decoded(bytes)).toBe('grün');
    expect(decoded(bytes.subarray(0, 3))).toBe('gr');
  });

  test('other encodings are detected', () => {
    expect(decoded(new Uint8Array([0xff, 0xfe, 0x67, 0x00, 0xfc, 0x00]))).toBe('gü');
    expect(decoded(new Uint8Array([0x67, 0xfc, 0x6e]))).toBe('gün');
  });

  test('the extension decides the language', () => {
    expect(languageOf('tool.PY')).toBe('python');
    expect(languageOf('Dockerfile')).toBe('dockerfile');
    expect(languageOf('notes.txt')).toBeNull();
    expect(languageOf('README.md')).toBe('markdown');
  });
});
