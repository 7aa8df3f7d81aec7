// OpenDocument files, as LibreOffice writes them (odt, ods, odp): ZIP files with XML inside, like those of Microsoft Office.
import type { Contents, OfficeKind } from './contents';
import { readOpenSheets } from './open_sheets';
import { readOpenSlides } from './open_slides';
import { readOpenText } from './open_text';
import { unpacked } from './unpack';

export function readOpenDocument(kind: OfficeKind, bytes: ArrayBuffer): Contents {
  const parts = unpacked(bytes);
  // In a password-protected file the parts exist but cannot be read.
  if (!parts['content.xml']) throw new TypeError('The document has no content.');
  if (kind === 'words') return readOpenText(parts);
  return kind === 'sheets' ? readOpenSheets(parts) : readOpenSlides(parts);
}
