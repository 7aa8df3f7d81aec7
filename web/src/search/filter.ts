// Search filters: conversion between the page's URL and requests.
import type { CloudObject, Schemas } from '../api/client';
import { t } from '../words';
import { visibleName } from '../words/formats';

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
  /** Taken in this month, as in `2024-05`. */
  month: string;
  /** The key of the folder to search in. */
  folder: string;
  /** The id of a person who shares albums with the user: only what they put into them. */
  person: string;
}

const ALLOWED = {
  kind: ['photo', 'video', 'audio', 'document', 'folder'],
  days: ['7', '30', '365'],
  mib: ['1', '10', '100'],
  favourite: ['yes'],
} as const;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

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
    month: MONTH.test(query.get('month') ?? '') ? query.get('month')! : '',
    folder: query.get('folder') ?? '',
    person: query.get('person') ?? '',
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
  takenFrom?: number;
  takenTo?: number;
  folderKey?: string;
} {
  return {
    ...(filter.q ? { query: filter.q } : {}),
    ...(filter.kind ? { kind: filter.kind } : {}),
    ...(filter.days ? { modifiedFrom: now - Number(filter.days) * 86_400_000 } : {}),
    ...(filter.mib ? { sizeFrom: Number(filter.mib) * 1024 * 1024 } : {}),
    ...(filter.favourite ? { isFavorite: true } : {}),
    ...(filter.tag ? { tag: filter.tag } : {}),
    ...(filter.month ? monthRange(filter.month) : {}),
    ...(filter.folder ? { folderKey: filter.folder } : {}),
  };
}

function monthRange(value: string): { takenFrom: number; takenTo: number } {
  const [year, month] = value.split('-').map(Number) as [number, number];
  return { takenFrom: Date.UTC(year, month - 1), takenTo: Date.UTC(year, month) - 1 };
}

/** Whether nothing is searched for. */
export function isEmpty(filter: Filter): boolean {
  return Object.values(filter).every((value) => !value);
}

/** The part of an address after the question mark. */
export function queryOf(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as Record<string, string>;
}

/** Where a result is, by the folders that came with it. */
export function pathText(object: CloudObject, folders: readonly Schemas['FolderAbove'][]): string {
  const byKey = new Map(folders.map((folder) => [folder.objectKey, folder]));
  const names: string[] = [];
  for (let above = byKey.get(object.parentObjectKey ?? ''); above?.parentObjectKey;) {
    names.unshift(visibleName(above.objectName));
    above = byKey.get(above.parentObjectKey);
  }
  return names.length ? names.join(' / ') : t('section.files');
}
