// Which language a file is written in, by its name.
import { extensionOf } from '../files/item';

const BY_ENDING: Record<string, string> = Object.fromEntries(
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
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language])),
);
const BY_NAME: Record<string, string> = { dockerfile: 'dockerfile', makefile: 'makefile' };

/** The language to colour a file in; null where it is plain text, or nothing that we know. */
export function languageOf(name: string): string | null {
  return BY_NAME[name.toLowerCase()] ?? BY_ENDING[extensionOf(name)] ?? null;
}
