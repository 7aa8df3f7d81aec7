// PowerPoint presentations: texts, pictures, shapes and tables where they are on the slides. Everything is turned into
// plain values here, so nothing that a presentation contains becomes markup, a style rule or an address.
import { strFromU8, strToU8, zipSync } from 'fflate';
import { parse, type Element, type Fill } from 'pptxtojson';
import { MAX_PARTS, MAX_SLIDES, type Part, type Slide, type Slides } from './contents';
import { paragraphsOf } from './paragraphs';
import { Pictures, bounded } from './pictures';
import { unpacked, type Parts } from './unpack';
import { readXml } from './xml';

const COLOUR = /^(?:#[0-9a-f]{3,8}|rgba?\([\d.,\s%]{5,40}\)|[a-z]{3,20})$/i;
const PATH = /^[MLHVCSQTAZ\d.,\s+e-]*$/i;
const MAX_PATH = 20_000;
const ORIGIN = { left: 0, top: 0 };
const SLIDE = 'application/vnd.openxmlformats-officedocument.presentationml.slide+xml';
const VERTICAL = { up: 'start', mid: 'center', down: 'end' } as const;

export async function readSlides(bytes: ArrayBuffer): Promise<Slides> {
  const parts = unpacked(bytes);
  const count = putInOrder(parts);
  if (!count) throw new TypeError('The presentation has no slides.');
  const packed = zipSync(parts, { level: 0 }).buffer as ArrayBuffer;
  const read = await parse(packed, { imageMode: 'none', videoMode: 'none', audioMode: 'none' });
  const pictures = new Pictures(parts);
  return {
    kind: 'slides',
    width: bounded(read.size.width, 960),
    height: bounded(read.size.height, 540),
    slides: read.slides.slice(0, MAX_SLIDES).map((slide): Slide => {
      const shown: Part[] = [];
      for (const element of [...slide.layoutElements, ...slide.elements]) add(shown, element, ORIGIN, pictures);
      return { ...fillOf(slide.fill, pictures), parts: shown };
    }),
    pictures: pictures.blobs,
    isTruncated: count > MAX_SLIDES,
  };
}

/** Number the slides in the order in which they are presented: the library goes by their names. Returns their number. */
function putInOrder(parts: Parts): number {
  const targets = new Map<string, string>();
  readXml(parts['ppt/_rels/presentation.xml.rels'], {
    open(name, attribute) {
      if (name === 'Relationship') targets.set(attribute('Id'), attribute('Target'));
    },
  });
  const order: string[] = [];
  readXml(parts['ppt/presentation.xml'], {
    open(name, attribute) {
      if (name !== 'sldId') return;
      const target = targets.get(attribute(':id'));
      const path = target?.startsWith('/') ? target.slice(1) : `ppt/${target}`;
      if (target && path in parts) order.push(path);
    },
  });
  const slides = order
    .slice(0, MAX_SLIDES)
    .map((path) => ({ slide: parts[path]!, relations: parts[relationsOf(path)] }));
  for (const path of Object.keys(parts)) if (/^ppt\/slides\//.test(path)) delete parts[path];
  const names = slides.map(({ slide, relations }, index) => {
    const path = `ppt/slides/slide${index + 1}.xml`;
    parts[path] = slide;
    if (relations) parts[relationsOf(path)] = relations;
    return `<Override PartName="/${path}" ContentType="${SLIDE}"/>`;
  });
  const types = strFromU8(parts['[Content_Types].xml'] ?? new Uint8Array());
  parts['[Content_Types].xml'] = strToU8(
    types
      .replace(/<Override\b[^>]*PartName="\/ppt\/slides\/[^>]*>(?:<\/Override>)?/g, '')
      .replace('</Types>', `${names.join('')}</Types>`),
  ) as Uint8Array<ArrayBuffer>;
  return order.length;
}

function relationsOf(path: string): string {
  return path.replace(/([^/]+)$/, '_rels/$1.rels');
}

function add(shown: Part[], element: Element, from: { left: number; top: number }, pictures: Pictures): void {
  if (shown.length >= MAX_PARTS) return;
  const place = {
    left: from.left + bounded(element.left, 0),
    top: from.top + bounded(element.top, 0),
    width: bounded(element.width, 0),
    height: bounded(element.height, 0),
    rotate: 'rotate' in element ? bounded(element.rotate, 0) : 0,
  };
  if (element.type === 'group' || element.type === 'diagram') {
    for (const part of element.elements) add(shown, part, place, pictures);
  } else if (element.type === 'image') {
    const picture = pictures.numberOf(element.ref);
    if (picture !== undefined) shown.push({ ...place, picture });
  } else if (element.type === 'math') {
    const picture = pictures.numberOf(element.picRef);
    if (picture !== undefined) shown.push({ ...place, picture });
    else if (element.text) shown.push({ ...place, paragraphs: paragraphsOf(element.text) });
  } else if (element.type === 'table') {
    shown.push({ ...place, table: element.data.map((row) => row.map(({ text }) => paragraphsOf(text))) });
  } else if (element.type === 'chart') {
    shown.push({ ...place, isChart: true });
  } else if (element.type === 'shape' || element.type === 'text') {
    shown.push({
      ...place,
      ...fillOf(element.fill, pictures),
      ...(element.borderWidth > 0 && COLOUR.test(element.borderColor)
        ? { border: element.borderColor, borderPoints: bounded(element.borderWidth, 1) }
        : {}),
      ...(element.type === 'shape' ? outlineOf(element) : {}),
      vertical: VERTICAL[element.vAlign as keyof typeof VERTICAL] ?? 'start',
      paragraphs: paragraphsOf(element.content),
    });
  }
}

function outlineOf(shape: Extract<Element, { type: 'shape' }>): Pick<Part, 'path' | 'view'> {
  const { path, pathViewBox: box } = shape;
  if (!path || !box || shape.shapType === 'rect' || path.length > MAX_PATH || !PATH.test(path)) return {};
  return { path, view: [box.x, box.y, box.width, box.height].map((side) => bounded(side, 0)).join(' ') };
}

function fillOf(fill: Fill | null | undefined, pictures: Pictures): Pick<Part, 'fill' | 'picture'> {
  if (fill?.type === 'color' && COLOUR.test(fill.value)) return { fill: fill.value };
  if (fill?.type === 'image') {
    const picture = pictures.numberOf(fill.value.ref);
    return picture === undefined ? {} : { picture };
  }
  if (fill?.type === 'pattern' && COLOUR.test(fill.value.backgroundColor)) return { fill: fill.value.backgroundColor };
  if (fill?.type === 'gradient') {
    const colours = fill.value.colors.slice(0, 10).map(({ color }) => color);
    if (colours.length > 1 && colours.every((colour) => COLOUR.test(colour)))
      return { fill: `linear-gradient(${bounded(fill.value.rot, 0) + 90}deg, ${colours.join(', ')})` };
  }
  return {};
}
