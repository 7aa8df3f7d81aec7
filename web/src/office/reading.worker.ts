// Reads office documents. They are untrusted, so a worker does it, which the page terminates if it takes too long.
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
