// Suggestions of the palette for what was typed: types, tags and months, in addition to results.
import { GET, dataOf } from '../api/client';
import type { IconName } from '../design/Icon.svelte';
import { allTags } from '../files/tags';
import { region, t, type WordName } from '../words';
import { visibleName } from '../words/formats';
import type { Filter } from './filter';

export interface Suggestion {
  id: string;
  icon: IconName;
  label: string;
  filter: Partial<Filter>;
}

const KINDS: [Exclude<Filter['kind'], ''>, IconName][] = [
  ['photo', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['document', 'file'],
  ['folder', 'folder'],
];
const MOST = 4;

/** Everything that can be suggested, loaded once per opening of the palette. */
export async function loadSuggestions(): Promise<Suggestion[]> {
  const [tags, months] = await Promise.all([
    allTags().catch(() => []),
    dataOf(GET('/x/v1/timeline')).then(
      (timeline) => timeline.months,
      () => [],
    ),
  ]);
  return [
    ...typeSuggestions(),
    ...tags.map(({ tagName }) => ({
      id: `tag ${tagName}`,
      icon: 'tag' as const,
      label: t('search.suggest.tag', { name: visibleName(tagName) }),
      filter: { tag: tagName },
    })),
    ...months.map(({ year, month }) => {
      const value = `${year}-${String(month).padStart(2, '0')}`;
      return { id: `month ${value}`, icon: 'calendar' as const, label: monthName(value), filter: { month: value } };
    }),
  ];
}

export function typeSuggestions(): Suggestion[] {
  return KINDS.map(([kind, icon]) => ({
    id: `kind ${kind}`,
    icon,
    label: t(`search.kind.${kind}` as WordName),
    filter: { kind },
  }));
}

/** `2024-05` as `May 2024`. */
export function monthName(value: string): string {
  const options = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Date(`${value}-01T00:00:00Z`).toLocaleDateString(region, options);
}

/** Suggestions with a word that starts with the last word typed. */
export function matching(all: Suggestion[], query: string): Suggestion[] {
  const last = query.trim().split(/\s+/).at(-1)?.toLocaleLowerCase() ?? '';
  if (!last) return [];
  return all
    .filter(({ label }) =>
      label
        .toLocaleLowerCase()
        .split(/[\s:]+/)
        .some((word) => word.startsWith(last)),
    )
    .slice(0, MOST);
}

/** The query without the word that became a filter. */
export function withoutLastWord(query: string): string {
  return query.trim().split(/\s+/).slice(0, -1).join(' ');
}
