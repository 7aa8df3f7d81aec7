// All texts of the user interface, by key. English defines the keys; the other languages have the same ones.
import { en } from './en';
import { LANGUAGE_KEY, OTHER_LANGUAGES, wantedLanguage } from './languages';

type Plural = { one: string; other: string };
type Entry = string | Plural;
export type Catalogue = Record<WordName, Entry>;
export type WordName = keyof typeof en;

let words: Catalogue = en;
let rules = new Intl.PluralRules('en');
export let language = 'en';
/** The language with the user's region, for dates and numbers. */
export let region = 'en';

export function languages(): string[] {
  return ['en', ...Object.keys(OTHER_LANGUAGES)];
}

export async function loadWords(name = wantedLanguage()): Promise<void> {
  words = (await OTHER_LANGUAGES[name]?.()) ?? en;
  language = name;
  region = navigator.languages.find((locale) => locale === name || locale.startsWith(`${name}-`)) ?? name;
  rules = new Intl.PluralRules(name);
  document.documentElement.lang = name;
}

export function chooseLanguage(name: string): void {
  localStorage.setItem(LANGUAGE_KEY, name);
  location.reload();
}

/** Whether the catalogue has an entry with this key. */
export function has(name: string): name is WordName {
  return Object.hasOwn(en, name);
}

/** The text of an entry with its placeholders filled in; `count` selects the plural form. */
export function t(name: WordName, values: Record<string, string | number> = {}): string {
  const entry = words[name];
  const text =
    typeof entry === 'string' ? entry : entry[rules.select(Number(values.count)) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => {
    const value = values[key];
    return value === undefined ? placeholder : typeof value === 'number' ? value.toLocaleString(region) : value;
  });
}
