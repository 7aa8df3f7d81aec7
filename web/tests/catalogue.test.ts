// The catalogue: every entry is used, and every language has the same placeholders and plurals.
import { describe, expect, it } from 'vitest';
import { de } from '../src/words/de';
import { en } from '../src/words/en';

const sources = import.meta.glob<string>(
  ['../src/**/*.{ts,svelte}', '!../src/words/{en,de}*.ts', '!../src/api/schema.d.ts'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
const names = Object.keys(en) as (keyof typeof en)[];

type Entry = string | { one: string; other: string };

function textsOf(entry: Entry): string[] {
  return typeof entry === 'string' ? [entry] : [entry.one, entry.other];
}

function placeholdersOf(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].sort();
}

describe('the catalogue', () => {
  it('has no entry that nothing uses', () => {
    const code = Object.values(sources).join('\n');
    const quoted = new Set([...code.matchAll(/'([a-z][\w.-]*)'/g)].map(([, name]) => name));
    const patterns = [...code.matchAll(/`([a-z]+(?:\.[\w-]+)*\.)\$\{[^`}]*\}([\w.-]*)`/g)].map(
      ([, start, end]) => [start!, end!] as const,
    );
    const isUsed = (name: string): boolean =>
      quoted.has(name) || patterns.some(([start, end]) => name.startsWith(start) && name.endsWith(end));
    expect(names.length).toBeGreaterThan(400);
    expect(names.filter((name) => !isUsed(name))).toEqual([]);
  });

  it('has the same plurals and placeholders in every language', () => {
    const formOf = (entry: Entry): string[][] => textsOf(entry).map(placeholdersOf);
    for (const name of names) expect(formOf(de[name]), name).toEqual(formOf(en[name]));
  });
});
