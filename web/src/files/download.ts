// Downloads, which the browser saves and shows the progress of: a file as it is, anything else as one ZIP.
import { GET, POST, dataOf } from '../api/client';
import { notices } from '../app/notices.svelte';
import { t } from '../words';
import { size } from '../words/formats';
import { contentUrl, type Item } from './item';

export async function download(items: readonly Item[]): Promise<void> {
  const [only] = items;
  if (!only) return;
  if (items.length === 1 && only.kind !== 'folder') save(contentUrl(only), only.name);
  else await downloadArchive(items);
}

async function downloadArchive(items: readonly Item[]): Promise<void> {
  const objectKeys = items.map((item) => item.key);
  const body = { objectKeys, archiveName: t('files.count', { count: items.length }) };
  const archive = await dataOf(POST('/x/v1/archives', { body }));
  const bytes = await lengthOf(archive.archiveKey);
  save(new URL(archive.url!).pathname, '');
  notices.show(t('download.started', { count: items.length, size: size(bytes) }));
  if (archive.missing) notices.showError(t('download.missing', { count: archive.missing }));
}

/** The length of an archive. Whatever is wrong with it is reported here, because the browser would only save it. */
async function lengthOf(archive_key: string): Promise<number> {
  const { response } = await GET('/download/archives/{archive_key}', {
    params: { path: { archive_key }, header: { Range: 'bytes=0-0' } },
    parseAs: 'arrayBuffer',
  });
  return Number(response.headers.get('content-range')?.split('/')[1] ?? 0);
}

/** Let the browser save what is at an address. */
export function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
