// The parser of pdf.js, as a worker from this origin.
import 'pdfjs-dist/build/pdf.worker.min.mjs';
