import { expect, it } from 'vitest';
import { memoryTitle } from '../src/photos/memory_title';

const NOW = new Date('2026-11-15T12:00:00Z');

it.each([
  ['day-2025-11-15', '1 year ago'],
  ['day-2022-11-15', '4 years ago'],
  ['month-2024-11', 'November 2024'],
  ['something-else', 'as the server says'],
])('calls %s %s', (spotLightId, title) => {
  expect(memoryTitle({ spotLightId, title: 'as the server says' }, NOW)).toBe(title);
});
