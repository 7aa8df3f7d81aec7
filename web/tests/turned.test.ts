import { expect, test } from 'vitest';
import { exifOf } from '../src/preview/exif';
import { turnedClockwise } from '../src/preview/turned';

const BARE = new Uint8Array([
  0xff, 0xd8, 0xff, 0xdb, 0, 4, 1, 2, 0xff, 0xda, 0, 2, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0xff, 0xd9,
]);

async function turned(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return (await turnedClockwise(bytes)!.arrayBuffer()) as ArrayBuffer;
}

function orientationOf(bytes: ArrayBuffer): number {
  // Written behind the first two bytes, 28 bytes into the segment.
  return new Uint8Array(bytes)[31]!;
}

test('four quarter turns are none, and the picture itself never changes', async () => {
  let bytes: ArrayBuffer = BARE.buffer;
  const seen: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    bytes = await turned(bytes);
    seen.push(orientationOf(bytes));
    expect(new Uint8Array(bytes).slice(-22)).toEqual(BARE.slice(2));
  }
  expect(seen).toEqual([6, 3, 8, 1]);
  expect(exifOf(bytes)).toEqual({});
});

test('what is no JPEG is left alone', () => {
  expect(turnedClockwise(new Uint8Array([1, 2, 3, 4, 5]).buffer)).toBeNull();
});
