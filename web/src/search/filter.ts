// Search filters: conversion between the page's URL and requests.

export interface Filter {
  q: string;
  kind: '' | 'photo' | 'video' | 'audio' | 'document' | 'folder';
  /** Modified within this many days. */
  days: '' | '7' | '30' | '365';
  /** Minimum size in MiB. */
  mib: '' | '1' | '10' | '100';
  favourite: '' | 'yes';
  /** The name of a tag. */
  tag: string;
}

const ALLOWED = {
  kind: ['photo', 'video', 'audio', 'document', 'folder'],
  days: ['7', '30', '365'],
  mib: ['1', '10', '100'],
  favourite: ['yes'],
} as const;

export function filterOf(query: URLSearchParams): Filter {
  const valueOf = (name: keyof typeof ALLOWED): string => {
    const value = query.get(name) ?? '';
    return (ALLOWED[name] as readonly string[]).includes(value) ? value : '';
  };
  return {
    q: query.get('q') ?? '',
    kind: valueOf('kind') as Filter['kind'],
    days: valueOf('days') as Filter['days'],
    mib: valueOf('mib') as Filter['mib'],
    favourite: valueOf('favourite') as Filter['favourite'],
    tag: query.get('tag') ?? '',
  };
}

export function asQuery(
  filter: Filter,
  now = Date.now(),
): {
  query?: string;
  kind?: Exclude<Filter['kind'], ''>;
  modifiedFrom?: number;
  sizeFrom?: number;
  isFavorite?: boolean;
  tag?: string;
} {
  return {
    ...(filter.q ? { query: filter.q } : {}),
    ...(filter.kind ? { kind: filter.kind } : {}),
    ...(filter.days ? { modifiedFrom: now - Number(filter.days) * 86_400_000 } : {}),
    ...(filter.mib ? { sizeFrom: Number(filter.mib) * 1024 * 1024 } : {}),
    ...(filter.favourite ? { isFavorite: true } : {}),
    ...(filter.tag ? { tag: filter.tag } : {}),
  };
}
