import { expect, it } from 'vitest';
import { memoryTitle } from '../src/photos/memory_title';

const NOW = new Date('2026-11-15T12:00:00Z');

it.each([
  ['day-2025-11-15', 'One year ago'],
  ['day-2022-11-15', '4 years ago'],
  ['month-2024-11', 'November 2024'],
  ['something-else', 'as the server says'],
])('calls %s %s', (spotLightId, title) => {
  expect(memoryTitle({ spotLightId, title: 'as the server says' }, NOW)).toBe(title);
});

it('names the place and the season of a month', () => {
  const title = (spotLightId: string, isSouth: boolean): string =>
    memoryTitle({ spotLightId, title: '' }, NOW, { city: 'Lisbon', isSouth });
  expect(title('month-2024-04', false)).toBe('Lisbon, spring 2024');
  expect(title('month-2024-12', false)).toBe('Lisbon, winter 2024');
  expect(title('month-2024-12', true)).toBe('Lisbon, summer 2024');
});
