// What is the same in all OpenDocument files: named styles, lengths, and the elements that stand for characters.
import type { Paragraph } from './contents';
import type { Parts } from './unpack';
import { readXml } from './xml';

export interface Style {
  parent?: string;
  isBold?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
  points?: number;
  color?: string;
  align?: Paragraph['align'];
  fill?: string;
}

type Attribute = (name: string) => string;

/** Comments, old states of a text, speaker notes, descriptions of pictures, and cells below merged ones. */
export const SKIPPED = new Set('annotation tracked-changes notes forms title desc covered-table-cell'.split(' '));
const COLOUR = /^#[0-9a-f]{6}$/i;
const ALIGNS: Record<string, Paragraph['align']> = {
  ...{ center: 'center', end: 'right', right: 'right', justify: 'justify', start: 'left', left: 'left' },
};
const POINTS: Record<string, number> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4, px: 0.75, pc: 12 };
const MAX_PARENTS = 10;

export class Styles {
  /** Lists that are numbered. */
  readonly numbered = new Set<string>();
  readonly pages = new Map<string, { width: number; height: number }>();
  /** The layout and the style of every master page. */
  readonly masters = new Map<string, { layout: string; style: string }>();
  #all = new Map<string, Style>();

  constructor(parts: Parts) {
    this.#read(parts['styles.xml']);
    this.#read(parts['content.xml']);
  }

  /** A style with everything that it inherits. */
  of(family: string, name: string): Style {
    let found: Style = {};
    let next: string | undefined = name;
    for (let count = 0; next && count < MAX_PARENTS; count++) {
      const style: Style | undefined = this.#all.get(`${family} ${next}`);
      found = { ...style, ...found };
      next = style?.parent;
    }
    return found;
  }

  #read(data: Uint8Array | undefined): void {
    let style: Style | null = null;
    let list = '';
    let layout = '';
    let isBody = false;
    const open = (name: string, attribute: Attribute): void => {
      if (name === 'body') isBody = true;
      else if (name === 'style') {
        style = attribute(':parent-style-name') ? { parent: attribute(':parent-style-name') } : {};
        this.#all.set(`${attribute(':family')} ${attribute(':name')}`, style);
      } else if (name === 'list-style') list = attribute(':name');
      else if (name === 'list-level-style-number' && attribute(':level') === '1') this.numbered.add(list);
      else if (name === 'page-layout') layout = attribute(':name');
      else if (name === 'page-layout-properties') {
        const [width, height] = [pointsOf(attribute(':page-width')), pointsOf(attribute(':page-height'))];
        if (width && height) this.pages.set(layout, { width, height });
      } else if (name === 'master-page') {
        this.masters.set(attribute(':name'), {
          layout: attribute(':page-layout-name'),
          style: attribute(':style-name'),
        });
      } else if (style) Object.assign(style, propertiesOf(name, attribute));
    };
    const close = (name: string): void => {
      if (name === 'style') style = null;
    };
    readXml(data, { open, close }, () => isBody);
  }
}

function propertiesOf(name: string, attribute: Attribute): Style {
  if (name === 'paragraph-properties') {
    const align = ALIGNS[attribute(':text-align')];
    return align ? { align } : {};
  }
  if (name === 'graphic-properties' || name === 'drawing-page-properties') {
    const fill = attribute(':fill-color');
    return attribute(':fill') === 'solid' && COLOUR.test(fill) ? { fill } : {};
  }
  if (name !== 'text-properties') return {};
  const [points, color] = [pointsOf(attribute(':font-size')), attribute(':color')];
  const isOn = (value: string): boolean => value !== 'none';
  return {
    ...given(attribute(':font-weight'), (weight) => ({ isBold: /^(?:bold|[6-9]00)$/.test(weight) })),
    ...given(attribute(':font-style'), (slope) => ({ isItalic: slope === 'italic' })),
    ...given(attribute(':text-underline-style'), (line) => ({ isUnderlined: isOn(line) })),
    ...given(attribute(':text-line-through-style'), (line) => ({ isStruck: isOn(line) })),
    ...(points > 0 && points < 1000 ? { points } : {}),
    ...(COLOUR.test(color) ? { color } : {}),
  };
}

function given(value: string, then: (value: string) => Style): Style {
  return value ? then(value) : {};
}

/** A length in points; 0 if it is not a length. */
export function pointsOf(length: string): number {
  const [, number, unit] = /^(-?[\d.]{1,12})(pt|in|cm|mm|px|pc)$/.exec(length) ?? [];
  const points = Number(number) * (POINTS[unit ?? ''] ?? 0);
  return Number.isFinite(points) && Math.abs(points) < 100_000 ? points : 0;
}

/** The characters that an element stands for. */
export function charactersOf(name: string, attribute: Attribute): string {
  if (name === 's') return ' '.repeat(Math.min(200, Math.max(1, Number(attribute(':c')) || 1)));
  return name === 'tab' ? '\t' : name === 'line-break' ? '\n' : '';
}
