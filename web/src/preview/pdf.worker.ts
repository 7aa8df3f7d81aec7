// The part of pdf.js that reads files, in a worker of our own origin.
import 'pdfjs-dist/build/pdf.worker.min.mjs';
