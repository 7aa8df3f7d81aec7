// OpenDocument presentations: texts, pictures, filled shapes and tables where they are on the slides.
import { MAX_PARTS, MAX_SLIDES, type Paragraph, type Part, type Run, type Slide, type Slides } from './contents';
import { SKIPPED, Styles, charactersOf, pointsOf, type Style } from './open_styles';
import { Pictures } from './pictures';
import type { Parts } from './unpack';
import { readXml } from './xml';

const DRAWN = new Set(['frame', 'custom-shape', 'rect', 'ellipse', 'circle']);
const MAX_RUNS = 2000;
const PAGE = { width: 794, height: 595 };

export function readOpenSlides(parts: Parts): Slides {
  const styles = new Styles(parts);
  const pictures = new Pictures(parts);
  const slides: Slide[] = [];
  let size: { width: number; height: number } | undefined;
  let count = 0;
  let part: Part | null = null;
  let frame: Style = {};
  let runs: Style[] = [];
  let paragraph: Paragraph | null = null;
  let cell: Paragraph[] | null = null;
  const lists: string[] = [];
  let bullet = '';
  let written = 0;
  let skipped = 0;

  const add = (text: string): void => {
    if (!paragraph || !text || ++written > MAX_RUNS) return;
    const { points, color, isBold = false, isItalic = false } = Object.assign({}, frame, ...runs) as Style;
    const run: Run = { text, isBold, isItalic, ...(points ? { points } : {}), ...(color ? { color } : {}) };
    paragraph.runs.push(run);
  };
  const open = (name: string, attribute: (name: string) => string): void => {
    if (skipped || SKIPPED.has(name)) return void (skipped += 1);
    const style = attribute(':style-name');
    if (name === 'page') {
      const master = styles.masters.get(attribute(':master-page-name'));
      size ??= styles.pages.get(master?.layout ?? '');
      const fill = styles.of('drawing-page', style).fill ?? styles.of('drawing-page', master?.style ?? '').fill;
      if (++count <= MAX_SLIDES) slides.push({ ...(fill ? { fill } : {}), parts: [] });
      written = 0;
    } else if (!count || count > MAX_SLIDES) return;
    else if (DRAWN.has(name)) {
      frame = { ...styles.of('graphic', style), ...styles.of('presentation', style) };
      part = { ...placeOf(attribute), ...(frame.fill ? { fill: frame.fill } : {}) };
      const shown = slides.at(-1)!.parts;
      if (shown.length < MAX_PARTS) shown.push(part);
    } else if (!part) return;
    else if (name === 'image') {
      const picture = pictures.numberOf(attribute(':href'));
      if (picture !== undefined) part.picture ??= picture;
    } else if (name === 'object' || name === 'object-ole') part.isChart = true;
    else if (name === 'table') part.table = [];
    else if (name === 'table-row') part.table?.push([]);
    else if (name === 'table-cell') part.table?.at(-1)?.push((cell = []));
    else if (name === 'list') lists.push(style || lists.at(-1) || '');
    else if (name === 'list-item') bullet = '•';
    else if (name === 'p' || name === 'h') {
      const own = styles.of('paragraph', style);
      paragraph = { align: own.align ?? frame.align ?? 'left', bullet: lists.length ? bullet : '', runs: [] };
      bullet = '';
      runs = [own];
      (cell ?? (part.paragraphs ??= [])).push(paragraph);
    } else if (name === 'span') runs.push(styles.of('text', style));
    else add(charactersOf(name, attribute));
  };
  const close = (name: string): void => {
    if (skipped) return void (skipped -= 1);
    if (name === 'p' || name === 'h') paragraph = null;
    else if (name === 'span') runs.pop();
    else if (name === 'list') lists.pop();
    else if (name === 'table-cell') cell = null;
    else if (DRAWN.has(name)) part = null;
  };
  const text = (piece: string): void => {
    if (!skipped) add(piece);
  };
  readXml(parts['content.xml'], { open, close, text });
  if (!slides.length) throw new TypeError('The presentation has no slides.');
  const isTruncated = count > MAX_SLIDES;
  return { kind: 'slides', ...(size ?? PAGE), slides, pictures: pictures.blobs, isTruncated };
}

function placeOf(attribute: (name: string) => string): Part {
  // What is turned has its place in a transformation; it is shown upright.
  const [, x = '', y = ''] = /translate\s*\(([^\s,)]+)[\s,]+([^\s,)]+)/.exec(attribute(':transform')) ?? [];
  return {
    left: pointsOf(attribute(':x') || x),
    top: pointsOf(attribute(':y') || y),
    width: pointsOf(attribute(':width')),
    height: pointsOf(attribute(':height')),
    rotate: 0,
  };
}
