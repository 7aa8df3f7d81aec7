// Code in colours. The result is spans and nothing else, whatever is in the file.
import hljs from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import latex from 'highlight.js/lib/languages/latex';
import powershell from 'highlight.js/lib/languages/powershell';
import { purified } from './purify';

hljs.registerLanguage('dockerfile', dockerfile);
hljs.registerLanguage('latex', latex);
hljs.registerLanguage('powershell', powershell);

// Colouring more than this holds the page up for too long.
export const MOST_CHARACTERS = 300_000;

export function highlighted(text: string, language: string): DocumentFragment | null {
  if (text.length > MOST_CHARACTERS || !hljs.getLanguage(language)) return null;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  return purified(value, { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'], KEEP_CONTENT: true });
}
