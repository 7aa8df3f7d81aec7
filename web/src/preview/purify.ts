// Markup from files, made harmless: nothing in it runs, loads, or looks like a part of our pages.
import DOMPurify, { type Config } from 'dompurify';
import { markupPolicy } from '../app/trusted';

/** The markup as nodes, of which only what the rules allow is left. */
export function purified(markup: string, rules: Config): DocumentFragment {
  const policy = markupPolicy();
  return DOMPurify.sanitize(markup, {
    ...rules,
    ...(policy ? { TRUSTED_TYPES_POLICY: policy } : {}),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
