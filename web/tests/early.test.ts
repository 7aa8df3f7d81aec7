import { describe, expect, it } from 'vitest';
import { folderShownAt } from '../src/api/early';

describe('the folder that an address shows', () => {
  it('is the uppermost one where none is named', () => {
    for (const path of ['/', '/drive', '/drive/', '/drive/files', '/drive/files/'])
      expect(folderShownAt(path)).toBe('');
  });

  it('is the one that is named', () => {
    expect(folderShownAt('/drive/files/0123ABCD')).toBe('0123ABCD');
  });

  it('is none where something else is shown', () => {
    for (const path of ['/drive/photos', '/drive/boards/0123ABCD', '/elsewhere'])
      expect(folderShownAt(path)).toBeNull();
  });
});
