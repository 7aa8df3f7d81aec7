// OpenDocument spreadsheets: every cell contains its value as it is shown, so nothing has to be formatted.
import { MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, MAX_TEXT, type Cell, type Sheet, type Workbook } from './contents';
import { SKIPPED, charactersOf } from './open_styles';
import type { Parts } from './unpack';
import { readXml } from './xml';

const NUMBERS = new Set(['float', 'percentage', 'currency']);

export function readOpenSheets(parts: Parts): Workbook {
  const sheets: Sheet[] = [];
  let cells: (Cell | undefined)[] = [];
  let text = '';
  let isNumber = false;
  let repeated = 1;
  let rowRepeated = 1;
  let row = 0;
  let column = 0;
  let paragraphs = 0;
  let isParagraph = false;
  let isSheet = false;
  let skipped = 0;

  const add = (piece: string): void => {
    if (text.length < MAX_TEXT) text += piece.slice(0, MAX_TEXT);
  };
  const open = (name: string, attribute: (name: string) => string): void => {
    // Drawings may have tables, too.
    if (skipped || SKIPPED.has(name) || name === 'shapes') {
      if (!skipped && name === 'covered-table-cell') column += timesOf(attribute(':number-columns-repeated'));
      return void (skipped += 1);
    }
    if (name === 'table') {
      isSheet = sheets.length < MAX_SHEETS;
      if (isSheet) sheets.push({ name: attribute(':name'), rows: [], isTruncated: false });
      row = 0;
    } else if (name === 'table-row') {
      [cells, column, rowRepeated] = [[], 0, timesOf(attribute(':number-rows-repeated'))];
    } else if (name === 'table-cell') {
      [text, paragraphs, repeated] = ['', 0, timesOf(attribute(':number-columns-repeated'))];
      isNumber = NUMBERS.has(attribute(':value-type'));
    } else if (name === 'p') {
      if (paragraphs++) add('\n');
      isParagraph = true;
    } else if (isParagraph) add(charactersOf(name, attribute));
  };
  const close = (name: string): void => {
    if (skipped) return void (skipped -= 1);
    const sheet = sheets.at(-1);
    if (name === 'p') isParagraph = false;
    else if (name === 'table') isSheet = false;
    else if (!sheet || !isSheet) return;
    else if (name === 'table-cell') {
      if (text && column + repeated > MAX_COLUMNS) sheet.isTruncated = true;
      const end = text ? Math.min(MAX_COLUMNS, column + repeated) : 0;
      for (let at = column; at < end; at++) cells[at] = { text, isNumber };
      column += repeated;
    } else if (name === 'table-row') {
      if (cells.length && row + rowRepeated > MAX_ROWS) sheet.isTruncated = true;
      const end = cells.length ? Math.min(MAX_ROWS, row + rowRepeated) : 0;
      while (sheet.rows.length < end) sheet.rows.push(sheet.rows.length < row ? [] : cells);
      row += rowRepeated;
    }
  };
  readXml(parts['content.xml'], {
    open,
    close,
    text: (piece) => {
      if (isParagraph && !skipped) add(piece);
    },
  });
  if (!sheets.length) throw new TypeError('The workbook has no sheets.');
  return { kind: 'sheets', sheets };
}

function timesOf(text: string): number {
  const times = Number(text);
  return Number.isInteger(times) && times > 0 ? times : 1;
}
