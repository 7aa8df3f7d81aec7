// An item of a list: only the fields that the pages need, because a folder may have 100,000 items.
import type { CloudObject } from '../api/client';
import { at } from '../app/place';

export type Kind = 'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'other';

export interface Item {
  readonly key: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: Kind;
  readonly mime: string;
  readonly bytes: number;
  readonly modified: number;
  readonly created: number;
  /** When anything of it changed last: content, name or place. */
  readonly updated: number;
  readonly hash: string | null;
  readonly version: number;
  readonly isFavourite: boolean;
  readonly source: string;
  /** An earlier version is shown instead of the current one. */
  readonly shownVersion?: number;
}

const TEXT = new Set(
  'txt md markdown csv tsv json jsonl yaml yml toml ini cfg conf log xml html htm css js mjs ts tsx jsx svelte py rb go rs c h cc cpp hpp java kt swift sh bash zsh fish ps1 sql php pl lua r tex srt vtt diff patch'.split(
    ' ',
  ),
);

export function itemOf(object: CloudObject): Item {
  return {
    key: object.objectKey,
    parentKey: object.parentObjectKey ?? null,
    name: object.objectName,
    kind: kindOf(object),
    mime: object.objectType === 'FR' ? '' : `${object.mimeType}/${object.mimeSubType}`,
    bytes: object.sizeInBytes,
    modified: object.lastModifiedDate,
    created: object.fileCreatedDate,
    updated: object.lastUpdatedDate,
    hash: object.hash ?? null,
    version: object.version,
    isFavourite: object.isFavorite,
    source: object.sourceName,
  };
}

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

function kindOf(object: CloudObject): Kind {
  if (object.objectType === 'FR') return 'folder';
  if (object.mimeType === 'image') return 'image';
  if (object.mimeType === 'video') return 'video';
  if (object.mimeType === 'audio') return 'audio';
  if (object.mimeSubType === 'pdf') return 'pdf';
  if (object.mimeType === 'text' || TEXT.has(extensionOf(object.objectName))) return 'text';
  return 'other';
}

/** Whether the server creates thumbnails for it. */
export function hasThumbnail(item: Item): boolean {
  return item.kind === 'image' || item.kind === 'video' || item.kind === 'pdf';
}

const SIZES = [256, 512, 1080] as const;
export type ThumbnailSize = (typeof SIZES)[number];
/** Cameras take pictures of 3:2. The size of a thumbnail is its longer side; the shorter one has to fill a square. */
const SHAPE = 1.5;

/** The thumbnail that is sharp in a place whose longer side has that many pixels of the page. */
export function thumbnailSize(side: number, density = globalThis.devicePixelRatio || 1): ThumbnailSize {
  return SIZES.find((size) => size >= side * density * SHAPE) ?? 1080;
}

/** The URL contains the content's hash, so browsers can cache the thumbnail forever. */
export function thumbnailUrl(item: Pick<Item, 'key' | 'hash' | 'version'>, size: ThumbnailSize): string {
  return at(`/download/avimages/${item.key}?size=${size}&of=${item.hash ?? item.version}`);
}

export function contentUrl(item: Item, version = item.shownVersion): string {
  return at(`/download/files/${item.key}${version === undefined ? '' : `?version=${version}`}`);
}
