// The boards that somebody is on, and those that somebody is invited to.
import { GET, POST, answer, type Schemas } from '../api/client';

export type Board = Schemas['Board'];
export type Invitation = Schemas['ReceivedInvitation'];

const AT_ONCE = 2000;

export class Boards {
  all = $state.raw<Board[]>([]);
  invitations = $state.raw<Invitation[]>([]);
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
    const [all, invitations] = await Promise.all([readBoards(), readInvitations()]);
    this.all = all;
    this.invitations = invitations;
    this.state = 'ready';
  }

  async accept(invitation: Invitation): Promise<Board> {
    const { boardKey } = invitation;
    const board = await answer(POST('/x/v1/invitations/accept', { body: { boardKey } }));
    this.#answered(boardKey);
    this.all = [board, ...this.all.filter((one) => one.boardKey !== boardKey)];
    return board;
  }

  async decline({ boardKey }: Invitation): Promise<void> {
    await POST('/x/v1/invitations/decline', { body: { boardKey } });
    this.#answered(boardKey);
  }

  #answered(boardKey: string): void {
    this.invitations = this.invitations.filter((one) => one.boardKey !== boardKey);
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

async function readInvitations(): Promise<Invitation[]> {
  const all: Invitation[] = [];
  for (let cursor: string | undefined; ;) {
    const query = cursor ? { cursor } : {};
    const page = await answer(GET('/x/v1/invitations', { params: { query } }));
    all.push(...page.invitations);
    if (!page.nextCursor) return all;
    cursor = page.nextCursor;
  }
}
