// Every word that a person reads, by its name. English is the catalogue; other languages have the same names.
import { en } from './en';
import { CHOSEN, OTHER_LANGUAGES, wantedLanguage } from './languages';

type Plural = { one: string; other: string };
type Entry = string | Plural;
export type Catalogue = Record<WordName, Entry>;
export type WordName = keyof typeof en;

let words: Catalogue = en;
let rules = new Intl.PluralRules('en');
export let language = 'en';
/** The language with the region of the person, for days and numbers: British days are not written as American ones. */
export let region = 'en';

export function languages(): string[] {
  return ['en', ...Object.keys(OTHER_LANGUAGES)];
}

export async function loadWords(name = wantedLanguage()): Promise<void> {
  words = (await OTHER_LANGUAGES[name]?.()) ?? en;
  language = name;
  region = navigator.languages.find((one) => one === name || one.startsWith(`${name}-`)) ?? name;
  rules = new Intl.PluralRules(name);
  document.documentElement.lang = name;
}

export function chooseLanguage(name: string): void {
  localStorage.setItem(CHOSEN, name);
  location.reload();
}

/** Whether there are words of that name. */
export function has(name: string): name is WordName {
  return Object.hasOwn(en, name);
}

/** The words of that name; `{count}` and other names in braces are filled in, and count chooses the plural. */
export function t(name: WordName, given: Record<string, string | number> = {}): string {
  const entry = words[name];
  const text = typeof entry === 'string' ? entry : entry[rules.select(Number(given.count)) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = given[key];
    return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString(region) : value;
  });
}
