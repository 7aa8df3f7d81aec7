import { describe, expect, it } from 'vitest';
import { changeOf, fieldsOf, localDay } from '../src/shares/limits';

const PLAIN = { shareName: 'A link' };
const LIMITED = { shareName: 'A link', expiryDate: new Date(2030, 4, 7).getTime(), maxDownloads: 3, hasPassword: true };

describe('limits of a link', () => {
  it('send only the name if there are none', () => {
    expect(changeOf(fieldsOf(PLAIN), PLAIN)).toEqual({ shareName: 'A link' });
  });

  it('are kept if unchanged', () => {
    expect(changeOf(fieldsOf(LIMITED), LIMITED)).toEqual({
      shareName: 'A link',
      expiryDate: LIMITED.expiryDate,
      maxDownloads: 3,
    });
  });

  it('are removed by clearing the fields', () => {
    const fields = { ...fieldsOf(LIMITED), until: '', downloads: '', hasPassword: false };
    expect(changeOf(fields, LIMITED)).toEqual({ shareName: 'A link', expiryDate: 0, maxDownloads: 0, password: '' });
  });

  it('include the chosen day', () => {
    const { expiryDate } = changeOf({ ...fieldsOf(PLAIN), until: '2030-05-06' }, PLAIN);
    expect(expiryDate).toBe(new Date(2030, 4, 7).getTime());
    expect(localDay(expiryDate! - 1)).toBe('2030-05-06');
  });
});
