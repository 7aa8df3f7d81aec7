// Sentences for errors. The server sends a code and an English message; the catalogue translates the codes that users
// can see, and the server's message is shown for all others.
import { ApiError, Unreachable } from '../api/errors';
import { has, t } from '.';

export function sentenceOf(problem: unknown): string {
  if (problem instanceof Unreachable) return t('error.unreachable');
  if (problem instanceof ApiError) return reasonOf(problem.code, problem.message || statusSentence(problem.status));
  return problem instanceof Error ? problem.message : String(problem ?? '');
}

/** The sentence for a code; `message` is the server's. */
export function reasonOf(code: string | undefined, message = ''): string {
  const name = `error.${code}`;
  return has(name) ? t(name, { reason: message }) : message || code || '';
}

/** For responses without a message, such as a proxy's. */
function statusSentence(status: number): string {
  return t('error.status', { status: String(status) });
}
