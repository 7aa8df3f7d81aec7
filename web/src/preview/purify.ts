// Sanitises markup from files: nothing in it can run, load content or imitate the page.
import DOMPurify, { type Config } from 'dompurify';
import { markupPolicy } from '../app/trusted';

/** The markup as nodes, reduced to what the rules allow. */
export function sanitized(markup: string, rules: Config): DocumentFragment {
  const policy = markupPolicy();
  return DOMPurify.sanitize(markup, {
    ...rules,
    ...(policy ? { TRUSTED_TYPES_POLICY: policy } : {}),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
