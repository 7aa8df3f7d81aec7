import { describe, expect, it } from 'vitest';
import { sorted } from '../src/files/folder.svelte';
import type { Item } from '../src/files/item';
import { shown, size } from '../src/words/formats';

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [1_288_490, '1.2 MB'],
    [107_374_182_400, '100 GB'],
  ])('%i is %s', (bytes, text) => expect(size(bytes)).toBe(text));
});

describe('names', () => {
  it('shows what hides itself', () => {
    expect(shown('a\u202eb')).toBe('a\ufffd202eb');
    expect(shown('plain – ünïcode 日本.txt')).toBe('plain – ünïcode 日本.txt');
  });
});

describe('order', () => {
  const item = (name: string, more: Partial<Item> = {}): Item =>
    ({ key: name, name, kind: 'other', bytes: 1, modified: 1, ...more }) as Item;

  it('puts folders first and counts numbers as people do', () => {
    const items = [item('file 10'), item('file 9'), item('b', { kind: 'folder' }), item('A')];
    expect(sorted(items, { field: 'objectName', down: false }).map((one) => one.name)).toEqual([
      'b',
      'A',
      'file 9',
      'file 10',
    ]);
  });

  it('sorts by size, and by name where that is equal', () => {
    const items = [item('b', { bytes: 2 }), item('c', { bytes: 1 }), item('a', { bytes: 2 })];
    expect(sorted(items, { field: 'sizeInBytes', down: true }).map((one) => one.name)).toEqual(['b', 'a', 'c']);
  });
});
