// The sentences for failed uploads.
import { ApiError, Unreachable } from '../api/errors';
import { size } from '../words/formats';
import { sentenceOf } from '../words/problems';
import { Refusal } from './refusal';
import type { Problem } from './task.svelte';

const BY_CODE: Record<string, Problem> = {
  SKY1002: { key: 'upload.problem.name' },
  SKY3000: { key: 'upload.problem.folder-gone' },
  SKY3010: { key: 'upload.problem.taken' },
  SKY4003: { key: 'upload.problem.changed' },
  SKY4004: { key: 'upload.problem.changed' },
  SKY4005: { key: 'upload.problem.changed' },
  SKY4006: { key: 'upload.problem.too-large' },
  SKY4007: { key: 'upload.problem.full' },
  SKY5002: { key: 'upload.problem.server-full' },
};

export const LOST: Problem = { key: 'upload.problem.lost' };

export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Refusal) {
    return thrown.limit === null ? { key: thrown.key } : { key: thrown.key, values: { limit: size(thrown.limit) } };
  }
  if (thrown instanceof Unreachable) return { key: 'upload.problem.unreachable' };
  const known = thrown instanceof ApiError ? BY_CODE[thrown.code] : undefined;
  if (known) return known;
  // The file was changed, moved or deleted after it was selected.
  if (thrown instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(thrown.name)) {
    return { key: 'upload.problem.unreadable' };
  }
  return { key: 'upload.problem.refused', values: { reason: sentenceOf(thrown) } };
}
