// What is told about a file that could not be uploaded.
import { ApiError, Unreachable } from '../api/errors';
import { size } from '../words/formats';
import { sentenceOf } from '../words/problems';
import type { Problem } from './task.svelte';

const BY_CODE: Record<string, Problem> = {
  SKY1002: { word: 'upload.problem.name' },
  SKY3000: { word: 'upload.problem.folder-gone' },
  SKY3010: { word: 'upload.problem.taken' },
  SKY4003: { word: 'upload.problem.changed' },
  SKY4004: { word: 'upload.problem.changed' },
  SKY4005: { word: 'upload.problem.changed' },
  SKY4006: { word: 'upload.problem.too-large' },
  SKY4007: { word: 'upload.problem.full' },
  SKY5002: { word: 'upload.problem.server-full' },
};

/** Raised before a byte is sent, where the rules of the server are known already. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.word);
    this.problem = problem;
  }
}

export const refuse = {
  name: (): Refusal => new Refusal({ word: 'upload.problem.name' }),
  tooLarge: (limit: number): Refusal =>
    new Refusal({ word: 'upload.problem.larger-than', given: { limit: size(limit) } }),
  lost: (): Refusal => new Refusal(LOST),
};

export const LOST: Problem = { word: 'upload.problem.lost' };

export function problemOf(raised: unknown): Problem {
  if (raised instanceof Refusal) return raised.problem;
  if (raised instanceof Unreachable) return { word: 'upload.problem.unreachable' };
  const known = raised instanceof ApiError ? BY_CODE[raised.code] : undefined;
  if (known) return known;
  // A browser says this of a file that was changed, moved or deleted after it was chosen.
  if (raised instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(raised.name)) {
    return { word: 'upload.problem.unreadable' };
  }
  return { word: 'upload.problem.refused', given: { reason: sentenceOf(raised) } };
}
