// The boards that somebody is invited to. Known beside every page: a mark at the boards tells how many wait.
import { GET, POST, answer, type Schemas } from '../api/client';
import { isToldOfInvitations, whenInvited } from '../app/live';
import { whileSeen } from './watching';

export type Invitation = Schemas['ReceivedInvitation'];
type Board = Schemas['Board'];

const LOOK_EVERY_MS = 15_000;

class ReceivedInvitations {
  all = $state.raw<Invitation[]>([]);
  /** Grows with every look and every answer: what an earlier look has read is the past. */
  #turn = 0;

  /** Look now and whenever the stream tells to, or else again and again; what is returned ends it, and forgets what was seen. */
  watch(): () => void {
    const look = (): void => void this.look().catch(() => {});
    look();
    const stop = whileSeen(async () => (isToldOfInvitations() ? undefined : this.look()), LOOK_EVERY_MS);
    const unhear = whenInvited(look);
    return () => {
      stop();
      unhear();
      this.#turn += 1;
      this.all = [];
    };
  }

  async look(): Promise<void> {
    const turn = ++this.#turn;
    const all: Invitation[] = [];
    for (let cursor: string | undefined; ;) {
      const query = cursor ? { cursor } : {};
      const page = await answer(GET('/x/v1/invitations', { params: { query } }));
      all.push(...page.invitations);
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
    if (turn === this.#turn) this.all = all;
  }

  async accept({ boardKey }: Invitation): Promise<Board> {
    const board = await answer(POST('/x/v1/invitations/accept', { body: { boardKey } }));
    this.#answered(boardKey);
    return board;
  }

  async decline({ boardKey }: Invitation): Promise<void> {
    await POST('/x/v1/invitations/decline', { body: { boardKey } });
    this.#answered(boardKey);
  }

  #answered(boardKey: string): void {
    this.#turn += 1;
    this.all = this.all.filter((one) => one.boardKey !== boardKey);
  }
}

export const received = new ReceivedInvitations();
