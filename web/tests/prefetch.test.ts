import { describe, expect, it } from 'vitest';
import { folderInPath } from '../src/api/prefetch';

describe('the folder in a path', () => {
  it('is the root folder by default', () => {
    for (const path of ['/', '/drive', '/drive/', '/drive/files', '/drive/files/']) expect(folderInPath(path)).toBe('');
  });

  it('is the folder that the path names', () => {
    expect(folderInPath('/drive/files/0123ABCD')).toBe('0123ABCD');
  });

  it('is null for other pages', () => {
    for (const path of ['/drive/photos', '/drive/boards/0123ABCD', '/elsewhere']) expect(folderInPath(path)).toBeNull();
  });
});
