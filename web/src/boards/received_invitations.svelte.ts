// The user's invitations to boards. Every page shows their number in the navigation.
import { GET, POST, dataOf, type Schemas } from '../api/client';
import { onInvitationsChange, streamsInvitations } from '../app/live';
import { notifications } from '../app/notifications.svelte';
import { t } from '../words';
import { pollWhileVisible } from './polling';

export type Invitation = Schemas['ReceivedInvitation'];
type Board = Schemas['Board'];

const POLL_INTERVAL_MS = 15_000;

class ReceivedInvitations {
  all = $state.raw<Invitation[]>([]);
  /** Counts refreshes and decisions: the result of an outdated refresh is dropped. */
  #revision = 0;
  #isLoaded = false;

  /** Load now and on every event of the stream, or poll without one; returns the function that stops and clears the list. */
  watch(): () => void {
    const refresh = (): void => void this.refresh().catch(() => {});
    refresh();
    const stopPolling = pollWhileVisible(
      async () => (streamsInvitations() ? undefined : this.refresh()),
      POLL_INTERVAL_MS,
    );
    const unsubscribe = onInvitationsChange(refresh);
    return () => {
      stopPolling();
      unsubscribe();
      this.#revision += 1;
      this.#isLoaded = false;
      this.all = [];
    };
  }

  async refresh(): Promise<void> {
    const revision = ++this.#revision;
    const all: Invitation[] = [];
    for (let cursor: string | undefined; ;) {
      const query = cursor ? { cursor } : {};
      const page = await dataOf(GET('/x/v1/invitations', { params: { query } }));
      all.push(...page.invitations);
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
    if (revision !== this.#revision) return;
    const known = new Set(this.all.map((one) => one.boardKey));
    const added = this.#isLoaded ? all.filter((one) => !known.has(one.boardKey)) : [];
    this.#isLoaded = true;
    this.all = all;
    // Invitations from before the page was opened are only counted in the navigation.
    for (const { boardName } of added) notifications.report('shared', t('notify.shared', { name: boardName }));
  }

  async accept({ boardKey }: Invitation): Promise<Board> {
    const board = await dataOf(POST('/x/v1/invitations/accept', { body: { boardKey } }));
    this.#remove(boardKey);
    return board;
  }

  async decline({ boardKey }: Invitation): Promise<void> {
    await POST('/x/v1/invitations/decline', { body: { boardKey } });
    this.#remove(boardKey);
  }

  #remove(boardKey: string): void {
    this.#revision += 1;
    this.all = this.all.filter((invitation) => invitation.boardKey !== boardKey);
  }
}

export const received = new ReceivedInvitations();
