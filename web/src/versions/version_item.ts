// A version of a file as an item, so that the viewers of the current content show it.
import type { Schemas } from '../api/client';
import type { Item } from '../files/item';
import { isDisplayable } from '../preview/displayable';
import { isTextItem } from '../preview/languages';
import { t } from '../words';
import { dateTime, size } from '../words/formats';

export type Version = Schemas['FileVersion'];

export function versionItem(item: Item, version: Version): Item {
  const { hash, sizeInBytes: bytes } = version;
  // The current version keeps its thumbnails.
  if (version.isCurrentVersion) return { ...item, bytes, hash };
  return { ...item, bytes, hash, version: version.version, shownVersion: version.version };
}

export type Comparable = 'text' | 'picture' | null;

/** How versions of the file are compared. */
export function comparable(item: Item): Comparable {
  if (isTextItem(item)) return 'text';
  return item.kind === 'image' && isDisplayable(item) ? 'picture' : null;
}

/** "3 (current) – 17 Nov 2026, 06:22, 1 KiB". */
export function describe(version: Version): string {
  const values = {
    version: version.version,
    time: dateTime(version.createdDate),
    size: size(version.sizeInBytes),
  };
  return version.isCurrentVersion ? t('versions.option.current', values) : t('versions.option', values);
}
