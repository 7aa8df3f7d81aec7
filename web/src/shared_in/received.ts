// What another application shares, as files: its files, and a text of its own where it shared words or a link.

const FORBIDDEN = /[\\/:*?"<>|\u0000-\u001f]+/g;
const NAME_LENGTH = 80;

export function filesOf(form: FormData): File[] {
  const files = form.getAll('files').filter((one) => one instanceof File && (one.name || one.size)) as File[];
  const note = noteOf(form);
  return note ? [...files, note] : files;
}

function noteOf(form: FormData): File | null {
  const [title, text, url] = ['title', 'text', 'url'].map((name) => said(form, name)) as [string, string, string];
  // Many applications share the title of a picture with it; that alone is nothing to keep.
  const lines = [text, text.includes(url) ? '' : url].filter(Boolean);
  if (!lines.length) return null;
  const name =
    (title || lines[0]!).replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH).trim() || 'Shared';
  return new File([`${lines.join('\n')}\n`], `${name}.txt`, { type: 'text/plain' });
}

function said(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
