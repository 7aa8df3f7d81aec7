import { expect, test } from 'vitest';
import { fileTypeOf } from '../src/design/file_types';

test.each([
  ['Letter.PDF', '', 'pdf'],
  ['budget.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet'],
  ['table.csv', 'text/csv', 'sheet'],
  ['talk.pptx', '', 'slides'],
  ['letter.docx', '', 'text'],
  ['notes.md', 'text/markdown', 'text'],
  ['backup.tar.gz', 'application/gzip', 'archive'],
  ['song.flac', '', 'audio'],
  ['main.py', 'text/x-python', 'code'],
  ['IMG_1.HEIC', 'image/heic', 'image'],
  ['clip', 'video/mp4', 'video'],
  ['README', 'text/plain', 'text'],
  ['.profile', '', 'other'],
  ['data.bin', 'application/octet-stream', 'other'],
])('%s (%s) is shown as %s', (name, mime, type) => {
  expect(fileTypeOf({ name, mime })).toBe(type);
});

test('a folder is a folder whatever its name ends with', () => {
  expect(fileTypeOf({ name: 'photos.zip', kind: 'folder' })).toBe('folder');
});
