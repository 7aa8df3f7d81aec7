// PDFs by pdf.js: read in parts as they are needed, drawn, and never run.
import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask } from 'pdfjs-dist';
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url';
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url';
import { trustedScript } from '../app/trusted';
import { contentUrl, type Item } from '../files/item';
import workerAddress from './pdf.worker?worker&url';

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

const PARTS: Record<string, string> = { 'jbig2.wasm': jbig2, 'openjpeg.wasm': openjpeg };

/** Parts of pdf.js that few files need; their names change with every build. */
class BuiltParts {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const address = PARTS[filename];
    if (!address) throw new Error(`Not a part that we have: ${filename}`);
    const response = await fetch(address);
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
    // Only what is looked at is loaded.
    disableAutoFetch: true,
    disableStream: true,
    wasmUrl: '/',
    useWorkerFetch: false,
    BinaryDataFactory: BuiltParts,
  });
}
