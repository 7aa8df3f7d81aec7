// The programming language of a file, by its name.
import { extensionOf, type Item } from '../files/item';

const BY_EXTENSION: Record<string, string> = Object.fromEntries(
  Object.entries({
    bash: 'sh bash zsh fish',
    c: 'c h',
    cpp: 'cc cpp cxx hpp hh',
    csharp: 'cs',
    css: 'css',
    diff: 'diff patch',
    go: 'go',
    graphql: 'graphql gql',
    ini: 'ini toml cfg conf properties',
    java: 'java',
    javascript: 'js mjs cjs jsx',
    json: 'json jsonl geojson webmanifest',
    kotlin: 'kt kts',
    latex: 'tex sty',
    less: 'less',
    lua: 'lua',
    markdown: 'md markdown',
    objectivec: 'm mm',
    perl: 'pl pm',
    php: 'php',
    powershell: 'ps1',
    python: 'py pyi',
    r: 'r',
    ruby: 'rb',
    rust: 'rs',
    scss: 'scss',
    sql: 'sql',
    swift: 'swift',
    typescript: 'ts tsx mts',
    xml: 'xml html htm svelte vue xhtml',
    yaml: 'yaml yml',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language])),
);
const BY_NAME: Record<string, string> = { dockerfile: 'dockerfile', makefile: 'makefile' };

/** The language for highlighting; null for plain text and unknown files. */
export function languageOf(name: string): string | null {
  return BY_NAME[name.toLowerCase()] ?? BY_EXTENSION[extensionOf(name)] ?? null;
}

/** Whether it is shown as text. */
export function isTextItem(item: Item): boolean {
  return item.kind === 'text' || (item.kind === 'other' && languageOf(item.name) !== null);
}
