// The colour scheme: the device's, or the one that the user has chosen for this browser.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const THEME_KEY = 'skyshelf.theme';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Called before the first paint, so the page does not flash in the other colours. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, theme);
  applyTheme(theme);
}
