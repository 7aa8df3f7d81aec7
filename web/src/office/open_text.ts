// OpenDocument texts as markup, which the page sanitises.
import { MAX_BLOCKS, MAX_MARKUP, type Words } from './contents';
import { SKIPPED, Styles, charactersOf, type Style } from './open_styles';
import type { Parts } from './unpack';
import { readXml } from './xml';

const TYPES: Record<string, string> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', gif: 'gif', webp: 'webp' };
const BLOCK = 0x8000;

export function readOpenText(parts: Parts): Words {
  const styles = new Styles(parts);
  /** What closes each open element. */
  const ends: string[] = [];
  const notes: string[] = [];
  let markup = '';
  let isBody = false;
  let isTruncated = false;
  let isNote = false;
  let skipped = 0;
  let texts = 0;
  let blocks = 0;

  const write = (text: string): void => {
    if (isNote) notes[notes.length - 1] += text;
    else markup += text;
    if (markup.length > MAX_MARKUP) throw new RangeError('The document is too large to be shown.');
  };
  const open = (name: string, attribute: (name: string) => string): void => {
    if (name === 'body') isBody = true;
    if (!isBody) return;
    if (skipped || SKIPPED.has(name)) return void (skipped += 1);
    const style = attribute(':style-name');
    let [start, end] = ['', ''];
    if (name === 'h' || name === 'p') {
      texts += 1;
      const tag = name === 'p' ? 'p' : `h${Math.min(6, Math.max(1, Number(attribute(':outline-level')) || 1))}`;
      // Headings are always bold.
      const inner = inline(name === 'p' ? styles.of('paragraph', style) : {});
      if (!isNote) [start, end] = [`<${tag}>${inner[0]}`, `${inner[1]}</${tag}>`];
      if (!isNote && ++blocks > MAX_BLOCKS) isTruncated = true;
    } else if (name === 'span') [start, end] = inline(styles.of('text', style));
    else if (name === 'a') [start, end] = [`<a href="${escaped(attribute(':href'))}">`, '</a>'];
    else if (name === 'list') [start, end] = styles.numbered.has(style) ? ['<ol>', '</ol>'] : ['<ul>', '</ul>'];
    else if (name === 'list-item' || name === 'list-header') [start, end] = ['<li>', '</li>'];
    else if (name === 'table') [start, end] = ['<table>', '</table>'];
    else if (name === 'table-row') [start, end] = ['<tr>', '</tr>'];
    else if (name === 'table-cell') {
      const spans = [attribute(':number-columns-spanned'), attribute(':number-rows-spanned')].map(Number);
      [start, end] = [`<td colspan="${spans[0] || 1}" rowspan="${spans[1] || 1}">`, '</td>'];
    } else if (name === 'image') start = imageOf(parts, attribute(':href'));
    else if (name === 'note-citation') [start, end] = ['<sup>', '</sup>'];
    else if (name === 'note-body') {
      notes.push('');
      isNote = true;
    } else start = charactersOf(name, attribute).replace('\n', '<br>').replaceAll(' ', '&nbsp;');
    write(start);
    ends.push(end);
  };
  const close = (name: string): void => {
    if (!isBody) return;
    if (skipped) return void (skipped -= 1);
    if (name === 'h' || name === 'p') texts -= 1;
    write(ends.pop() ?? '');
    if (name === 'note-body') isNote = false;
  };
  const text = (piece: string): void => {
    if (texts && !skipped) write(escaped(piece));
  };
  readXml(parts['content.xml'], { open, close, text }, () => isTruncated);
  const below = notes.length ? `<hr><ol>${notes.map((note) => `<li>${note}</li>`).join('')}</ol>` : '';
  return { kind: 'words', markup: markup + below, isTruncated };
}

function inline(style: Style): [string, string] {
  const tags = [
    style.isBold && 'strong',
    style.isItalic && 'em',
    style.isUnderlined && 'u',
    style.isStruck && 's',
  ].filter(Boolean);
  return [
    tags.map((tag) => `<${tag}>`).join(''),
    tags
      .reverse()
      .map((tag) => `</${tag}>`)
      .join(''),
  ];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Only pictures that are inside of the file. */
function imageOf(parts: Parts, path: string): string {
  const [data, type] = [parts[path], TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]];
  if (!data || !type) return '';
  let binary = '';
  for (let at = 0; at < data.length; at += BLOCK) binary += String.fromCharCode(...data.subarray(at, at + BLOCK));
  return `<img alt="" src="data:image/${type};base64,${btoa(binary)}">`;
}
