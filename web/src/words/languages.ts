// Which language the pages speak. English is always there; the others come when they are wanted.
import type { Catalogue } from '.';

export const OTHER_LANGUAGES: Record<string, () => Promise<Catalogue>> = {
  de: async () => (await import('./de')).de,
};
export const CHOSEN = 'skyshelf.language';

/** Chosen by the person, else asked for by the browser, else English. */
export function wantedLanguage(): string {
  const asked = [localStorage.getItem(CHOSEN), ...navigator.languages].map((one) => one?.split('-')[0]);
  return asked.find((one) => one === 'en' || (one && one in OTHER_LANGUAGES)) ?? 'en';
}
