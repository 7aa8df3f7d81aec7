// Content shared by other apps, as files: shared files, and a text file for a shared text or link.

const FORBIDDEN = /[\\/:*?"<>|\u0000-\u001f]+/g;
const MAX_NAME_LENGTH = 80;

export function filesOf(form: FormData): File[] {
  const files = form.getAll('files').filter((file) => file instanceof File && (file.name || file.size)) as File[];
  const note = noteOf(form);
  return note ? [...files, note] : files;
}

function noteOf(form: FormData): File | null {
  const [title, text, url] = ['title', 'text', 'url'].map((name) => textField(form, name)) as [string, string, string];
  // Many apps share a picture together with a title; a title alone is not stored.
  const lines = [text, text.includes(url) ? '' : url].filter(Boolean);
  if (!lines.length) return null;
  const name =
    (title || lines[0]!).replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH).trim() ||
    'Shared';
  return new File([`${lines.join('\n')}\n`], `${name}.txt`, { type: 'text/plain' });
}

function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
