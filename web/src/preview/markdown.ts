// Renders Markdown. Images become links, so no external content is loaded without a click.
import { Marked } from 'marked';
import { sanitized } from './purify';

const TAGS =
  'a abbr b blockquote br code dd del details dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  );

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    image({ href, text }) {
      return `<a href="${escaped(href)}">${escaped(text || href)}</a>`;
    },
    html({ text }) {
      // The sanitiser removes them anyway, but browsers log CSP violations while parsing.
      return text.replace(/\s(style|on\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi, '');
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
  },
});

export function rendered(markdown: string): DocumentFragment {
  const nodes = sanitized(marked.parse(markdown) as string, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'title', 'colspan', 'rowspan', 'start', 'open', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  });
  for (const link of nodes.querySelectorAll('a')) {
    // Links open in a new tab, without access to this page and without a referrer.
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  for (const entry of nodes.querySelectorAll('li')) {
    // Checkboxes replace the bullets of task lists.
    if (/^[☑☐] /.test(entry.textContent.trimStart())) entry.className = 'task';
  }
  return nodes;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
