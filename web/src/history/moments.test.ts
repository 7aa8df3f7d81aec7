import { expect, test } from 'vitest';
import { DAY, STEPS, fieldText, momentAt, positionOf } from './moments';

const NOW = 1_800_000_000_000;
const OLDEST = NOW - 30 * DAY;

test('the ends of the slider are the oldest moment and now', () => {
  expect(momentAt(0, OLDEST, NOW)).toBe(OLDEST);
  expect(momentAt(STEPS, OLDEST, NOW)).toBe(NOW);
});

test('a position leads to a moment and back, and steps are finer near now', () => {
  for (const position of [0, 1, 500, 999, STEPS]) {
    expect(positionOf(momentAt(position, OLDEST, NOW), OLDEST, NOW)).toBe(position);
  }
  expect(NOW - momentAt(STEPS - 1, OLDEST, NOW)).toBeLessThan(5000);
});

test('moments outside are at the ends, also where there is no time between them', () => {
  expect(positionOf(OLDEST - DAY, OLDEST, NOW)).toBe(0);
  expect(positionOf(NOW + DAY, OLDEST, NOW)).toBe(STEPS);
  expect(positionOf(NOW, NOW, NOW)).toBe(STEPS);
});

test('a moment is written as a field for local date and time takes it', () => {
  expect(new Date(fieldText(NOW)).getTime()).toBe(NOW);
});
