// The boards that the user is a member of.
import { retryWhenBack } from '../app/recovery';
import { GET, POST, dataOf, type Schemas } from '../api/client';
import { received, type Invitation } from './received_invitations.svelte';

export type Board = Schemas['Board'];

const PAGE_SIZE = 2000;

export class Boards {
  all = $state.raw<Board[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      await this.refresh();
    } catch (problem) {
      this.problem = problem;
      this.state = 'failed';
      retryWhenBack(problem, () => void (this.state === 'failed' && this.load()));
    }
  }

  /** Reload without clearing the list first. */
  async refresh(): Promise<void> {
    [this.all] = await Promise.all([readBoards(), received.refresh()]);
    this.state = 'ready';
  }

  async accept(invitation: Invitation): Promise<Board> {
    const board = await received.accept(invitation);
    this.all = [board, ...this.all.filter((other) => other.boardKey !== board.boardKey)];
    return board;
  }
}

export async function createBoard(boardName: string, boardDescription = ''): Promise<Board> {
  return dataOf(POST('/boards', { body: { boardName, boardDescription } }));
}

/** Join with the token of a link. */
export async function joinBoard(token: string): Promise<Board> {
  return dataOf(POST('/x/v1/invitations/accept', { body: { token } }));
}

export async function readBoards(): Promise<Board[]> {
  const all: Board[] = [];
  for (let page = 0; ; page++) {
    const query = { page, limit: PAGE_SIZE, albumType: 'p' as const };
    const { boards } = await dataOf(GET('/boards/sync/initial', { params: { query } }));
    all.push(...boards);
    if (boards.length < PAGE_SIZE) return all;
  }
}
