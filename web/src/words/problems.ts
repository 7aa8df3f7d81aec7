// What went wrong, as a sentence for whoever reads it. The server says a code and a sentence in English; the catalogue
// has sentences for the codes that a person can meet, and the server's own is told where it has none.
import { ApiError, Unreachable } from '../api/errors';
import { has, t } from '.';

export function sentenceOf(problem: unknown): string {
  if (problem instanceof Unreachable) return t('error.unreachable');
  if (problem instanceof ApiError) return reasonOf(problem.code, problem.message || statusSentence(problem.status));
  return problem instanceof Error ? problem.message : String(problem ?? '');
}

/** The sentence for a code; `told` is what the server said about it. */
export function reasonOf(code: string | undefined, told = ''): string {
  const name = `error.${code}`;
  return has(name) ? t(name, { told }) : told || code || '';
}

/** For what no server of ours answered: a proxy in between may be short of words. */
function statusSentence(status: number): string {
  return t('error.status', { status: String(status) });
}
