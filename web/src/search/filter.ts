// What is searched for, as the address of the page tells it, and as the server is asked.

export interface Filter {
  q: string;
  kind: '' | 'photo' | 'video' | 'audio' | 'document' | 'folder';
  /** Changed within so many days. */
  days: '' | '7' | '30' | '365';
  /** At least so many MiB. */
  mib: '' | '1' | '10' | '100';
  favourite: '' | 'yes';
}

const ALLOWED = {
  kind: ['photo', 'video', 'audio', 'document', 'folder'],
  days: ['7', '30', '365'],
  mib: ['1', '10', '100'],
  favourite: ['yes'],
} as const;

export function filterOf(query: URLSearchParams): Filter {
  const one = (name: keyof typeof ALLOWED): string => {
    const value = query.get(name) ?? '';
    return (ALLOWED[name] as readonly string[]).includes(value) ? value : '';
  };
  return {
    q: query.get('q') ?? '',
    kind: one('kind') as Filter['kind'],
    days: one('days') as Filter['days'],
    mib: one('mib') as Filter['mib'],
    favourite: one('favourite') as Filter['favourite'],
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
} {
  return {
    ...(filter.q ? { query: filter.q } : {}),
    ...(filter.kind ? { kind: filter.kind } : {}),
    ...(filter.days ? { modifiedFrom: now - Number(filter.days) * 86_400_000 } : {}),
    ...(filter.mib ? { sizeFrom: Number(filter.mib) * 1024 * 1024 } : {}),
    ...(filter.favourite ? { isFavorite: true } : {}),
  };
}
