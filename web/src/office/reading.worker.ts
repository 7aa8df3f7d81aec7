// Reads office documents. They come from anybody, so this happens in a worker, which the page ends when it takes long.
import type { OfficeReply, OfficeRequest } from './contents';

self.onmessage = ({ data }: MessageEvent<OfficeRequest>) => {
  read(data).then(reply, () => reply({ failed: true }));
};

function reply(message: OfficeReply): void {
  self.postMessage(message);
}

async function read({ kind, isOpenDocument, bytes, language }: OfficeRequest): Promise<OfficeReply> {
  if (isOpenDocument) return (await import('./open_document')).readOpenDocument(kind, bytes);
  if (kind === 'words') return (await import('./words')).readWords(bytes);
  if (kind === 'sheets') return (await import('./sheets')).readSheets(bytes, language);
  return (await import('./slides')).readSlides(bytes);
}
