// Syntax highlighting. The result contains only spans, whatever the file contains.
import hljs from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import latex from 'highlight.js/lib/languages/latex';
import powershell from 'highlight.js/lib/languages/powershell';
import { sanitized } from './purify';

hljs.registerLanguage('dockerfile', dockerfile);
hljs.registerLanguage('latex', latex);
hljs.registerLanguage('powershell', powershell);

// Highlighting longer texts would block the page.
export const MAX_CHARACTERS = 300_000;

export function highlighted(text: string, language: string): DocumentFragment | null {
  if (text.length > MAX_CHARACTERS || !hljs.getLanguage(language)) return null;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  return sanitized(value, { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'], KEEP_CONTENT: true });
}
