// Office documents, read by a worker.
import { fetchWithRetry } from '../api/client';
import { trustedScript } from '../app/trusted';
import { contentUrl, extensionOf, type Item } from '../files/item';
import type { Contents, OfficeKind, OfficeReply, OfficeRequest } from './contents';
import workerAddress from './reading.worker?worker&url';

const MAX_MS = 30_000;

const KINDS: Record<string, OfficeKind> = {
  docx: 'words',
  docm: 'words',
  dotx: 'words',
  xlsx: 'sheets',
  xlsm: 'sheets',
  xltx: 'sheets',
  pptx: 'slides',
  pptm: 'slides',
  ppsx: 'slides',
  odt: 'words',
  ott: 'words',
  ods: 'sheets',
  ots: 'sheets',
  odp: 'slides',
  otp: 'slides',
};

/** How the file is shown; null for formats from before 2007 and for what only one program reads. */
export function officeKind(name: string): OfficeKind | null {
  return KINDS[extensionOf(name)] ?? null;
}

export async function readOffice(item: Item, kind: OfficeKind, signal: AbortSignal): Promise<Contents> {
  const response = await fetchWithRetry(new Request(contentUrl(item), { signal }));
  const bytes = await response.arrayBuffer();
  const worker = new Worker(trustedScript(workerAddress), { type: 'module', name: 'office' });
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The document took too long to read.')), MAX_MS);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
      worker.onerror = () => reject(new Error('The document could not be read.'));
      worker.onmessage = ({ data }: MessageEvent<OfficeReply>) => {
        clearTimeout(timer);
        if ('failed' in data) reject(new Error('The document could not be read.'));
        else resolve(data);
      };
      const language = document.documentElement.lang;
      const isOpenDocument = /^o/.test(extensionOf(item.name));
      worker.postMessage({ kind, isOpenDocument, bytes, language } satisfies OfficeRequest, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}
