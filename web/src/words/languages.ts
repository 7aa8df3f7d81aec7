// The languages of the user interface. English is built in; the others are loaded on demand.
import type { Catalogue } from '.';

export const OTHER_LANGUAGES: Record<string, () => Promise<Catalogue>> = {
  de: async () => (await import('./de')).de,
};
export const LANGUAGE_KEY = 'skyshelf.language';

/** The user's choice, else the browser's language, else English. */
export function wantedLanguage(): string {
  const candidates = [localStorage.getItem(LANGUAGE_KEY), ...navigator.languages].map((code) => code?.split('-')[0]);
  return candidates.find((code) => code === 'en' || (code && code in OTHER_LANGUAGES)) ?? 'en';
}
