// The boards that somebody is on.
import { GET, POST, answer, type Schemas } from '../api/client';
import { received, type Invitation } from './received.svelte';

export type Board = Schemas['Board'];

const AT_ONCE = 2000;

export class Boards {
  all = $state.raw<Board[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      await this.look();
    } catch (problem) {
      this.problem = problem;
      this.state = 'failed';
    }
  }

  /** Read everything again without emptying what is shown. */
  async look(): Promise<void> {
    [this.all] = await Promise.all([readBoards(), received.look()]);
    this.state = 'ready';
  }

  async accept(invitation: Invitation): Promise<Board> {
    const board = await received.accept(invitation);
    this.all = [board, ...this.all.filter((one) => one.boardKey !== board.boardKey)];
    return board;
  }
}

export async function createBoard(boardName: string, boardDescription = ''): Promise<Board> {
  return answer(POST('/boards', { body: { boardName, boardDescription } }));
}

/** Join by the token of a link. */
export async function joinBoard(token: string): Promise<Board> {
  return answer(POST('/x/v1/invitations/accept', { body: { token } }));
}

export async function readBoards(): Promise<Board[]> {
  const all: Board[] = [];
  for (let page = 0; ; page++) {
    const query = { page, limit: AT_ONCE, albumType: 'p' as const };
    const { boards } = await answer(GET('/boards/sync/initial', { params: { query } }));
    all.push(...boards);
    if (boards.length < AT_ONCE) return all;
  }
}
