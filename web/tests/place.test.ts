import { describe, expect, it } from 'vitest';
import { PLACE, placeOf, withoutPlace } from '../src/app/place';

describe('the place of the server on its host', () => {
  it('follows from the address of a built script', () => {
    expect(placeOf('https://example.org/my/sky/assets/first-abc.js')).toBe('/my/sky');
    expect(placeOf('https://example.org/assets/first-abc.js')).toBe('');
    expect(PLACE).toBe('');
  });
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
