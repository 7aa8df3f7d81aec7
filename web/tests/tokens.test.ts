import { expect, test } from 'vitest';
import CSS from '../../src/skyshelf/server/pages/static/tokens.css?raw';
import PAGE from '../index.html?raw';

// The colours of tokens.css, measured as WCAG 2 measures contrast.

function colours(selector: string): Record<string, string> {
  const start = Math.max(CSS.indexOf(`${selector} {`), CSS.indexOf(`${selector},`));
  expect(start, selector).toBeGreaterThanOrEqual(0);
  const block = CSS.slice(start, CSS.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

const THEMES = { light: colours(':root'), dark: colours(':root[data-theme="dark"]') };
const GROUNDS = ['paper', 'surface', 'floating', 'sunken'];

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

test.each(Object.entries(THEMES))('text of the %s theme has a contrast of 4.5', (_, theme) => {
  for (const text of ['ink', 'soft', 'accent', 'wrong', 'warn', 'good']) {
    for (const ground of [...GROUNDS, 'chosen']) {
      expect(contrast(theme[text]!, theme[ground]!), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
  for (const ground of ['accent', 'accent-hover', 'wrong']) {
    expect(contrast(theme['on-accent']!, theme[ground]!), `on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
});

test.each(Object.entries(THEMES))('icons and outlines of controls in the %s theme have a contrast of 3', (_, theme) => {
  const kinds = Object.keys(theme).filter((name) => name.startsWith('kind-'));
  expect(kinds.length).toBe(10);
  for (const icon of [...kinds, 'folder', 'control']) {
    for (const ground of GROUNDS) {
      expect(contrast(theme[icon]!, theme[ground]!), `${icon} on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  }
});

test('dark surfaces rise in lightness with their elevation', () => {
  const { paper, surface, floating } = THEMES.dark;
  expect(luminance(paper!)).toBeLessThan(luminance(surface!));
  expect(luminance(surface!)).toBeLessThan(luminance(floating!));
});

test('the dark theme is the same, whether the device or the user has chosen it', () => {
  expect(colours(':root:not([data-theme="light"])')).toEqual(THEMES.dark);
  expect(Object.keys(THEMES.light)).toEqual(Object.keys(THEMES.dark));
});

test('the frame of the browser has the colour of the page', () => {
  expect(PAGE).toContain(`content="${THEMES.light.paper}"`);
  expect(PAGE).toContain(`content="${THEMES.dark.paper}"`);
});
