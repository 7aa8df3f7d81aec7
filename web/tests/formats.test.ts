import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { sorted } from '../src/files/folder.svelte';
import type { Item } from '../src/files/item';
import { loadWords } from '../src/words';
import { visibleName, size } from '../src/words/formats';

describe('sizes', () => {
  beforeAll(() => {
    vi.stubGlobal('navigator', { languages: [] });
    vi.stubGlobal('document', { documentElement: {} });
  });
  afterAll(async () => {
    await loadWords('en');
    vi.unstubAllGlobals();
  });

  // The same values as in the test of wire/sizes.py.
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [512, '512 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1280, '1.2 KiB'],
    [1536, '1.5 KiB'],
    [975_667, '952.8 KiB'],
    [1_048_575, '1.0 MiB'],
    [1_048_576, '1 MiB'],
    [1_288_490, '1.2 MiB'],
    [1_073_741_824, '1 GiB'],
    [107_374_182_400, '100 GiB'],
    [1_649_267_441_664, '1.5 TiB'],
    [2 ** 50, '1 PiB'],
    [2 ** 61, '2048 PiB'],
  ])('%i bytes are %s', (bytes, text) => expect(size(bytes)).toBe(text));

  it('have a decimal comma in German', async () => {
    await loadWords('de');
    expect(size(975_667)).toBe('952,8 KiB');
    expect(size(1023)).toBe('1023 B');
  });
});

describe('names', () => {
  it('have invisible characters replaced by codes', () => {
    expect(visibleName('a\u202eb')).toBe('a\ufffd202eb');
    expect(visibleName('plain – ünïcode 日本.txt')).toBe('plain – ünïcode 日本.txt');
  });
});

describe('order', () => {
  const item = (name: string, more: Partial<Item> = {}): Item =>
    ({ key: name, name, kind: 'other', bytes: 1, modified: 1, ...more }) as Item;

  it('puts folders first and sorts numbers naturally', () => {
    const items = [item('file 10'), item('file 9'), item('b', { kind: 'folder' }), item('A')];
    expect(sorted(items, { field: 'objectName', descending: false }).map((one) => one.name)).toEqual([
      'b',
      'A',
      'file 9',
      'file 10',
    ]);
  });

  it('sorts by size, then by name', () => {
    const items = [item('b', { bytes: 2 }), item('c', { bytes: 1 }), item('a', { bytes: 2 })];
    expect(sorted(items, { field: 'sizeInBytes', descending: true }).map((one) => one.name)).toEqual(['b', 'a', 'c']);
  });
});

test('joined emoji and scripts that need joiners stay as they are', () => {
  for (const name of ['👩‍👩‍👧 Ferien.jpg', '🏳️‍🌈.png', '👩🏽‍🚀', 'می‌خواهم.txt', 'क्‍ष.pdf'])
    expect(visibleName(name)).toBe(name);
});

test('joiners and marks that disguise a name are shown', () => {
  expect(visibleName('pay\u200dpal\u200c.exe')).toBe('pay\ufffd200dpal\ufffd200c.exe');
  expect(visibleName('invoice\u202efdp.exe')).toBe('invoice\ufffd202efdp.exe');
  expect(visibleName('\u200dlogo')).toBe('\ufffd200dlogo');
});
