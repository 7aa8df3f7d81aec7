import { describe, expect, it } from 'vitest';
import { qrPath } from '../src/settings/qr_path';

describe('a QR code as a path', () => {
  it('has one rectangle per run of dark modules, with a quiet zone', () => {
    expect(qrPath(['110', '000', '101'])).toBe('M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z');
  });

  it('is empty for an empty code', () => {
    expect(qrPath([])).toBe('');
  });
});
