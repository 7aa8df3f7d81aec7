// The folder for uploads to a board in the uploader's files, the same one that the server would choose.
import type { BoardTarget } from '../upload/board_target';

const FOLDER = 'Boards';
const MAX_BYTES = 255;

export function uploadTarget(board: { boardKey: string; boardName: string }): BoardTarget {
  return { boardKey: board.boardKey, path: [FOLDER, folderName(board.boardName)] };
}

/** Board names may contain characters that folder names may not. */
export function folderName(boardName: string): string {
  const safe = boardName.normalize('NFC').replace(/[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g, '_');
  const cut = new TextDecoder().decode(new TextEncoder().encode(safe).slice(0, MAX_BYTES)).replace(/\ufffd+$/, '');
  return cut.replace(/[ .]+$/, (end) => '_'.repeat(end.length)) || '_';
}
