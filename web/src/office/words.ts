// Word documents as markup, which the page sanitises.
import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { MAX_BLOCKS, MAX_MARKUP, type Words } from './contents';
import { unpacked } from './unpack';

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh", 'u => u', 'strike => s'];

interface Body {
  children: unknown[];
}

export async function readWords(bytes: ArrayBuffer): Promise<Words> {
  // Packed again from what was unpacked within limits, because mammoth has none.
  const arrayBuffer = zipSync(unpacked(bytes), { level: 0 }).buffer as ArrayBuffer;
  let isTruncated = false;
  const { value } = await mammoth.convertToHtml({ arrayBuffer }, {
    styleMap: STYLES,
    externalFileAccess: false,
    transformDocument(body: Body) {
      isTruncated = body.children.length > MAX_BLOCKS;
      return isTruncated ? { ...body, children: body.children.slice(0, MAX_BLOCKS) } : body;
    },
  } as Parameters<typeof mammoth.convertToHtml>[1]);
  if (value.length > MAX_MARKUP) throw new RangeError('The document is too large to be shown.');
  return { kind: 'words', markup: value, isTruncated };
}
