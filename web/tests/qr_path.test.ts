import { describe, expect, it } from 'vitest';
import { qrPath } from '../src/settings/qr_path';

describe('a QR code as a path', () => {
  it('has one stroke for each run of dark squares, with light around them', () => {
    expect(qrPath(['110', '000', '101'])).toBe('M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z');
  });

  it('of nothing is nothing', () => {
    expect(qrPath([])).toBe('');
  });
});
