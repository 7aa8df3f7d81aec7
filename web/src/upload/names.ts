// The rules for names, checked here too so an invalid name is reported before the file is read.

const MAX_BYTES = 255;
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f/]/;
const utf8 = new TextEncoder();

export function isValidName(name: string): boolean {
  if (!name || name === '.' || name === '..' || FORBIDDEN.test(name)) return false;
  return utf8.encode(name.normalize('NFC')).length <= MAX_BYTES;
}

/** The name if it is free, else the first free one of `name (1).txt`, `name (2).txt`… */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 1; ; number++) {
    const suffix = ` (${number})${extension}`;
    const candidate = truncate(stem, MAX_BYTES - utf8.encode(suffix).length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

/** The longest prefix of whole characters that fits into this many bytes. */
function truncate(text: string, bytes: number): string {
  if (utf8.encode(text).length <= bytes) return text;
  const characters = [...text];
  while (characters.length > 1 && utf8.encode(characters.join('')).length > bytes) characters.pop();
  return characters.join('');
}
