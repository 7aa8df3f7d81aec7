// Where uploads into a board lie in the drive of who uploads them: the folder that the server would choose, too.
import type { BoardPlace } from '../upload/onto_board';

const FOLDER = 'Boards';
const BYTES_MAX = 255;

export function landingOf(board: { boardKey: string; boardName: string }): BoardPlace {
  return { boardKey: board.boardKey, path: [FOLDER, folderName(board.boardName)] };
}

/** A name of a board may have what no name of a folder has. */
export function folderName(boardName: string): string {
  const safe = boardName.normalize('NFC').replace(/[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g, '_');
  const cut = new TextDecoder().decode(new TextEncoder().encode(safe).slice(0, BYTES_MAX)).replace(/\ufffd+$/, '');
  return cut.replace(/[ .]+$/, (end) => '_'.repeat(end.length)) || '_';
}
