import { describe, expect, it } from 'vitest';
import { withoutPlace } from '../src/app/place';

describe('the place of the server on its host', () => {
  it('is removed from the beginning of a path', () => {
    expect(withoutPlace('/sky/drive/files', '/sky')).toBe('/drive/files');
    expect(withoutPlace('/sky', '/sky')).toBe('/');
    expect(withoutPlace('/drive/drive/files', '/drive')).toBe('/drive/files');
  });
  it('is left alone where it is none', () => {
    expect(withoutPlace('/skyline/files', '/sky')).toBe('/skyline/files');
    expect(withoutPlace('/drive/files', '')).toBe('/drive/files');
  });
});
