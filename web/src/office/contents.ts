// What is shown of office documents, and how much of it.

export const MAX_BYTES = 25 * 1024 * 1024;
export const MAX_BLOCKS = 3000;
export const MAX_MARKUP = 30 * 1024 * 1024;
export const MAX_SHEETS = 30;
export const MAX_ROWS = 1000;
export const MAX_COLUMNS = 60;
export const MAX_SLIDES = 200;
/** Maximum number of parts in a slide, or of characters in a cell. */
export const MAX_PARTS = 500;
export const MAX_TEXT = 5000;

export interface Words {
  kind: 'words';
  markup: string;
  isTruncated: boolean;
}

export interface Cell {
  text: string;
  isNumber: boolean;
}
export interface Sheet {
  name: string;
  rows: (Cell | undefined)[][];
  isTruncated: boolean;
}
export interface Workbook {
  kind: 'sheets';
  sheets: Sheet[];
}

export interface Run {
  text: string;
  points?: number;
  color?: string;
  isBold: boolean;
  isItalic: boolean;
}
export interface Paragraph {
  align: 'left' | 'center' | 'right' | 'justify';
  bullet: string;
  runs: Run[];
}
/** A part of a slide, in points from the upper left corner. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
  rotate: number;
  /** A colour or a gradient. */
  fill?: string;
  border?: string;
  borderPoints?: number;
  /** Its outline, unless it is a rectangle. */
  path?: string;
  view?: string;
  isChart?: boolean;
  /** Which of the presentation's pictures. */
  picture?: number;
  vertical?: 'start' | 'center' | 'end';
  paragraphs?: Paragraph[];
  table?: Paragraph[][][];
}
export interface Slide {
  fill?: string;
  picture?: number;
  parts: Part[];
}
export interface Slides {
  kind: 'slides';
  width: number;
  height: number;
  slides: Slide[];
  pictures: Blob[];
  isTruncated: boolean;
}

export type Contents = Words | Workbook | Slides;
export type OfficeKind = Contents['kind'];

export interface OfficeRequest {
  kind: OfficeKind;
  /** A file of LibreOffice and other programs, not of Microsoft Office. */
  isOpenDocument: boolean;
  bytes: ArrayBuffer;
  language: string;
}
export type OfficeReply = Contents | { failed: true };
