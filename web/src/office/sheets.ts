// Excel workbooks: values as their number formats show them. Formulas are not calculated; files keep the last results.
import { format } from 'numfmt';
import { MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, MAX_TEXT, type Cell, type Sheet, type Workbook } from './contents';
import { unpacked, type Parts } from './unpack';
import { readXml } from './xml';

/** The built-in formats, which files refer to only by number. */
const KNOWN: Record<number, string> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??' },
  ...{ 14: 'yyyy-mm-dd', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm' },
  ...{ 21: 'h:mm:ss', 22: 'yyyy-mm-dd h:mm', 37: '#,##0;(#,##0)', 38: '#,##0;(#,##0)', 39: '#,##0.00;(#,##0.00)' },
  ...{ 40: '#,##0.00;(#,##0.00)', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@' },
};
const DAYS_TO_1904 = 1462;
const IS_DATE = /[dy]|h.*m|m.*h/i;
const LITERALS = /"[^"]*"|\\.|\[[^\]]*\]/g;

interface Book {
  sheets: { name: string; path: string }[];
  strings: string[];
  formats: string[];
  is1904: boolean;
  language: string;
}

export function readSheets(bytes: ArrayBuffer, language: string): Workbook {
  const parts = unpacked(bytes, /\.(?:xml|rels)$/i);
  const book = { ...readBook(parts), language };
  return { kind: 'sheets', sheets: book.sheets.map(({ name, path }) => readSheet(name, parts[path], book)) };
}

function readBook(parts: Parts): Omit<Book, 'language'> {
  const targets = new Map<string, string>();
  readXml(parts['xl/_rels/workbook.xml.rels'], {
    open(name, attribute) {
      if (name === 'Relationship') targets.set(attribute('Id'), attribute('Target'));
    },
  });
  const sheets: Book['sheets'] = [];
  let is1904 = false;
  readXml(parts['xl/workbook.xml'], {
    open(name, attribute) {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute('date1904'));
      if (name !== 'sheet' || attribute('state') || sheets.length >= MAX_SHEETS) return;
      const target = targets.get(attribute(':id')) ?? '';
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      if (path in parts) sheets.push({ name: attribute('name'), path });
    },
  });
  if (!sheets.length) throw new TypeError('The workbook has no sheets.');
  return { sheets, is1904, strings: readStrings(parts['xl/sharedStrings.xml']), formats: readFormats(parts) };
}

function readStrings(data: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  let isText = false;
  // How Japanese is pronounced is written beside it.
  let isSpoken = false;
  readXml(data, {
    open(name) {
      if (name === 'si') strings.push('');
      else if (name === 'rPh') isSpoken = true;
      else if (name === 't') isText = !isSpoken;
    },
    close(name) {
      if (name === 'rPh') isSpoken = false;
      else if (name === 't') isText = false;
    },
    text(text) {
      const last = strings.length - 1;
      if (isText && last >= 0 && strings[last]!.length < MAX_TEXT) strings[last] += text.slice(0, MAX_TEXT);
    },
  });
  return strings;
}

/** The number format of every cell style. */
function readFormats(parts: Parts): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let isCells = false;
  readXml(parts['xl/styles.xml'], {
    open(name, attribute) {
      if (name === 'numFmt') own.set(Number(attribute('numFmtId')), attribute('formatCode'));
      else if (name === 'cellXfs') isCells = true;
      else if (name === 'xf' && isCells) {
        const number = Number(attribute('numFmtId'));
        formats.push(own.get(number) ?? KNOWN[number] ?? '');
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}

function readSheet(name: string, data: Uint8Array | undefined, book: Book): Sheet {
  const rows: Sheet['rows'] = [];
  let isTruncated = false;
  let row = -1;
  let column = -1;
  let type = '';
  let style = 0;
  let text = '';
  let isValue = false;
  let isOver = false;
  readXml(
    data,
    {
      open(tag, attribute) {
        if (tag === 'row') {
          row = numbered(attribute('r')) ?? row + 1;
          column = -1;
          if (row >= MAX_ROWS) isTruncated = isOver = true;
        } else if (tag === 'c') {
          column = columnOf(attribute('r')) ?? column + 1;
          type = attribute('t');
          style = Number(attribute('s')) || 0;
          text = '';
        } else if (tag === 'v' || tag === 't') isValue = true;
      },
      text(piece) {
        if (isValue && text.length < MAX_TEXT) text += piece.slice(0, MAX_TEXT);
      },
      close(tag) {
        if (tag === 'v' || tag === 't') isValue = false;
        else if (tag === 'sheetData') isOver = true;
        else if (tag === 'c' && text) {
          if (column >= MAX_COLUMNS) isTruncated = true;
          else if (row >= 0 && row < MAX_ROWS) filled(rows, row)[column] = cellOf(type, text, style, book);
        }
      },
    },
    () => isOver,
  );
  return { name, rows, isTruncated };
}

function filled(rows: Sheet['rows'], row: number): (Cell | undefined)[] {
  while (rows.length <= row) rows.push([]);
  return rows[row]!;
}

/** The index of a row that counts from 1. */
function numbered(text: string): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number - 1 : null;
}

/** The column of "AB12" as an index. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellOf(type: string, text: string, style: number, book: Book): Cell {
  if (type === 's') return { text: book.strings[Number(text)] ?? '', isNumber: false };
  if (type === 'b') return { text: text === '1' ? 'TRUE' : 'FALSE', isNumber: false };
  if (type && type !== 'n') return { text, isNumber: false };
  const number = Number(text);
  if (Number.isNaN(number)) return { text, isNumber: false };
  return { text: formatted(number, book.formats[style] ?? '', book), isNumber: true };
}

function formatted(number: number, pattern: string, book: Book): string {
  const plain = String(Number(number.toPrecision(12)));
  if (!pattern || /^general$/i.test(pattern)) return plain;
  const isDate = IS_DATE.test(pattern.replace(LITERALS, ''));
  try {
    const shown = format(pattern, book.is1904 && isDate ? number + DAYS_TO_1904 : number, { locale: book.language });
    return shown.slice(0, MAX_TEXT);
  } catch {
    return plain;
  }
}
