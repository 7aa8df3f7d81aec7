// PDFs with pdf.js: loaded in ranges on demand; scripts in documents are never run.
import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask } from 'pdfjs-dist';
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url';
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url';
import { trustedScript } from '../app/trusted';
import { contentUrl, type Item } from '../files/item';
import workerAddress from './pdf.worker?worker&url';

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

const DECODERS: Record<string, string> = { 'jbig2.wasm': jbig2, 'openjpeg.wasm': openjpeg };

/** Decoders that few files need; their names change with every build. */
class DecoderFactory {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const url = DECODERS[filename];
    if (!url) throw new Error(`Unknown decoder: ${filename}`);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${filename}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

export function openPdf(item: Item): PDFDocumentLoadingTask {
  GlobalWorkerOptions.workerPort ??= new Worker(trustedScript(workerAddress), { type: 'module', name: 'pdf' });
  return getDocument({
    url: contentUrl(item),
    length: item.bytes,
    isEvalSupported: false,
    enableXfa: false,
    // Load only the pages in view.
    disableAutoFetch: true,
    disableStream: true,
    wasmUrl: '/',
    useWorkerFetch: false,
    BinaryDataFactory: DecoderFactory,
  });
}
