// The strength of a password: an order that people would agree with.
import { describe, expect, it } from 'vitest';
import { bytesOf, gibOf } from '../src/admin/quota';
import { fieldOf, isEndless, timeOf } from '../src/admin/periods';
import { strengthOf } from '../src/welcome/strength';

describe('the strength of a password', () => {
  it.each([
    ['', 0],
    ['1234567', 0],
    ['aaaaaaaaaaaaaaaa', 1],
    ['12345678', 1],
    ['password', 1],
    ['Tr0ub4dor&3', 3],
    ['correct horse battery staple', 4],
  ])('of %o is %i', (password, strength) => expect(strengthOf(password)).toBe(strength));
});

describe('a storage limit', () => {
  it('is typed in GiB, with either decimal separator', () => {
    expect(bytesOf(' 1,5 ')).toBe(1.5 * 1024 ** 3);
    expect(bytesOf('2.25')).toBe(2.25 * 1024 ** 3);
    expect(bytesOf('  ')).toBeNull();
    expect(gibOf(bytesOf('2.25')!)).toBe('2.25');
  });
});

describe('the period of an announcement', () => {
  it('survives the way through a field', () => {
    const time = timeOf('2027-05-02T09:30')!;
    expect(fieldOf(time)).toBe('2027-05-02T09:30');
    expect(timeOf('')).toBeNull();
  });

  it('has no end at the last time that the interface can express', () => {
    expect(isEndless(253_402_300_799_999)).toBe(true);
    expect(isEndless(Date.now())).toBe(false);
    expect(fieldOf(253_402_300_799_999)).toBe('');
  });
});
