// The type of a file as people see it, by its media type or else by its name's ending.

export type FileType =
  'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'sheet' | 'slides' | 'text' | 'archive' | 'code' | 'other';

const ENDINGS: Partial<Record<FileType, string>> = {
  image: 'jpg jpeg png gif webp avif heic heif tif tiff bmp svg raw dng cr2 cr3 nef arw orf psd ico',
  video: 'mp4 m4v mov avi mkv webm mpg mpeg wmv flv 3gp mts m2ts ogv',
  audio: 'mp3 m4a aac wav flac ogg oga opus wma aif aiff mid midi amr',
  pdf: 'pdf',
  sheet: 'xls xlsx xlsm xlsb ods csv tsv numbers',
  slides: 'ppt pptx pptm pps ppsx odp key',
  text: 'txt md markdown rtf doc docx docm odt pages tex log epub srt vtt eml',
  archive: 'zip gz tgz bz2 xz zst 7z rar tar jar iso dmg cab deb rpm apk age',
  code: 'json jsonl yaml yml toml ini cfg conf xml html htm css scss js mjs cjs ts tsx jsx svelte vue py ipynb rb go rs c h cc cpp hpp cs java kt swift sh bash zsh fish ps1 bat sql php pl lua r dart diff patch',
};
const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([type, endings]) =>
    endings.split(' ').map((ending) => [ending, type as FileType] as const),
  ),
);
const BY_MEDIA = new Set<FileType>(['image', 'video', 'audio', 'text']);

export interface Typed {
  readonly name: string;
  /** The MIME type as "type/subtype"; may be empty. */
  readonly mime?: string;
  readonly kind?: string;
}

export function fileTypeOf({ name, mime = '', kind }: Typed): FileType {
  if (kind === 'folder') return 'folder';
  const dot = name.lastIndexOf('.');
  const byEnding = dot > 0 ? BY_ENDING.get(name.slice(dot + 1).toLowerCase()) : undefined;
  if (byEnding) return byEnding;
  if (mime === 'application/pdf' || kind === 'pdf') return 'pdf';
  const media = mime.slice(0, Math.max(0, mime.indexOf('/'))) as FileType;
  return BY_MEDIA.has(media) ? media : 'other';
}
