// The markup of a Word document, reduced to text, tables, links and the pictures it contains.
import { sanitized } from '../preview/purify';

const TAGS =
  'a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre s strong sub sup table tbody td th thead tr u ul'.split(
    ' ',
  );

export function documentNodes(markup: string): DocumentFragment {
  const nodes = sanitized(markup, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'src', 'alt', 'colspan', 'rowspan', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
  });
  for (const image of nodes.querySelectorAll('img')) {
    if (!image.src.startsWith('data:image/')) image.remove();
  }
  for (const link of nodes.querySelectorAll('a')) {
    if (!/^(?:https?|mailto):/i.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return nodes;
}
