import { describe, expect, it } from 'vitest';
import description from '../../docs/openapi.json?raw';
import { ApiError, Unreachable } from '../src/api/errors';
import { de } from '../src/words/de';
import { en } from '../src/words/en';
import { reasonOf, sentenceOf } from '../src/words/problems';

describe('error sentences', () => {
  it('come from the catalogue, or else from the server', () => {
    expect(sentenceOf(new ApiError(409, 'SKY3010', 'whatever'))).toBe(en['error.SKY3010']);
    expect(sentenceOf(new ApiError(400, 'SKY1000', 'limit is too large'))).toContain('limit is too large');
    expect(sentenceOf(new ApiError(409, 'SKY9999', 'Something new'))).toBe('Something new');
    expect(sentenceOf(new ApiError(502, '', ''))).toBe('The server responded with status 502.');
    expect(sentenceOf(new Unreachable())).toBe(en['error.unreachable']);
    expect(sentenceOf(new Error('as it is'))).toBe('as it is');
    expect(sentenceOf(null)).toBe('');
    expect(reasonOf(undefined)).toBe('');
    expect(reasonOf('SKY9999')).toBe('SKY9999');
  });

  it('exist only for known codes, and are translated', () => {
    const codes = Object.keys(en).flatMap((name) => /^error\.([A-Z]+\d+)$/.exec(name)?.[1] ?? []);
    expect(codes.length).toBeGreaterThan(30);
    const known = JSON.parse(description)['x-error-codes'];
    expect(codes.filter((code) => !(code in known))).toEqual([]);
    for (const code of codes) {
      const name = `error.${code}` as keyof typeof en;
      expect(de[name], code).not.toBe(en[name]);
    }
  });
});
