// The text of a slide: the library describes it as markup, which is read here and never becomes markup again.
import type { Paragraph, Run } from './contents';

const MAX_RUNS = 2000;
const PIECE = /<(\/?)(\w+)((?:\s+[\w-]+="[^"]*")*)\s*\/?>|([^<]+|<)/g;
const ENTITIES: Record<string, string> = { nbsp: ' ', lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const COLOUR = /^(?:#[0-9a-f]{3,8}|rgba?\([\d.,\s%]{5,40}\))$/i;
const ALIGNS = new Set(['left', 'center', 'right', 'justify']);

export function paragraphsOf(markup: string | undefined): Paragraph[] {
  const found: Paragraph[] = [];
  const lists: { isOrdered: boolean; count: number }[] = [];
  const styles: Partial<Run>[] = [{}];
  let bullet = '';
  let count = 0;
  for (const [, closing, tag, attributes = '', text] of (markup ?? '').matchAll(PIECE)) {
    if (text !== undefined) {
      const paragraph = found.at(-1);
      const value = decoded(text);
      if (paragraph && value && ++count <= MAX_RUNS)
        paragraph.runs.push({ isBold: false, isItalic: false, ...styles.at(-1), text: value });
    } else if (tag === 'p' && !closing) {
      const align = styleOf(attributes, 'text-align');
      found.push({ align: (ALIGNS.has(align) ? align : 'left') as Paragraph['align'], bullet, runs: [] });
      bullet = '';
    } else if (tag === 'ul' || tag === 'ol') {
      if (closing) lists.pop();
      else lists.push({ isOrdered: tag === 'ol', count: 0 });
    } else if (tag === 'li' && !closing) {
      const list = lists.at(-1);
      if (list) bullet = list.isOrdered ? `${++list.count}.` : '•';
    } else if (tag === 'br') found.at(-1)?.runs.push({ text: '\n', isBold: false, isItalic: false });
    else if (tag === 'span') {
      if (closing) styles.length > 1 && styles.pop();
      else styles.push({ ...styles.at(-1), ...runStyle(attributes) });
    }
  }
  return found;
}

function runStyle(attributes: string): Partial<Run> {
  const points = Number.parseFloat(styleOf(attributes, 'font-size'));
  const color = styleOf(attributes, 'color');
  return {
    ...(points > 0 && points < 1000 ? { points } : {}),
    ...(COLOUR.test(color) ? { color } : {}),
    isBold: /^(?:bold|[6-9]00)$/.test(styleOf(attributes, 'font-weight')),
    isItalic: styleOf(attributes, 'font-style') === 'italic',
  };
}

function styleOf(attributes: string, name: string): string {
  return new RegExp(`(?:^|[";\\s])${name}:\\s*([^;"]+)`).exec(attributes)?.[1]?.trim() ?? '';
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|(\w{2,6}));/g, (whole, code: string, name: string) => {
    if (code) return Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : '';
    return ENTITIES[name] ?? whole;
  });
}
