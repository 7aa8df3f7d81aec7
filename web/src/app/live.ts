// What happens to the drive elsewhere, as it happens: one stream for the page, for everybody on it who listens.
import { pause, type CloudObject, type Schemas } from '../api/client';
import { errorOf } from '../api/errors';
import { callHeaders } from '../api/headers';
import { itemOf, type Item } from '../files/item';
import { connection } from './connection.svelte';
import { EventParser } from './events';
import { session } from './session.svelte';

export interface Happened {
  /** Objects as they are now. */
  items: Item[];
  /** Keys of what is in the trash or gone. */
  gone: string[];
  /** Too much happened to tell it: look at everything again. */
  everything: boolean;
}

type Listener = (happened: Happened) => void;
/** Told that the board looks different; right after the stream has begun, only that it may. */
type BoardListener = (isCertain: boolean) => void;

const listeners = new Set<Listener>();
const AGAIN_AFTER_MS = 2000;
// Quota and counters follow changes, but not each of a thousand.
const PROFILE_AFTER_MS = 1500;
let cursor: string | null = null;
let stream: AbortController | null = null;
/** The connection of the moment; the stream outlives it. */
let attempt: AbortController | null = null;
let board: { key: string; listener: BoardListener } | null = null;
/** Told that invitations to boards may have come or gone, also right after the stream has begun. */
const invitedListeners = new Set<() => void>();
let hearsOfInvitations = false;
let profileTimer: ReturnType<typeof setTimeout> | undefined;

/** Be told of changes; what is returned ends it. */
export function whenChanged(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Be told when a board that somebody looks at changes; what is returned ends it. One board at a time. */
export function whenBoardChanged(key: string, listener: BoardListener): () => void {
  const mine = { key, listener };
  board = mine;
  attempt?.abort();
  return () => {
    if (board !== mine) return;
    board = null;
    attempt?.abort();
  };
}

/** Be told when what the person is invited to may have changed; what is returned ends it. */
export function whenInvited(listener: () => void): () => void {
  invitedListeners.add(listener);
  return () => invitedListeners.delete(listener);
}

/** Whether the stream is there and tells of invitations: a server that does so begins with it. */
export function isToldOfInvitations(): boolean {
  return hearsOfInvitations;
}

export function startLive(): void {
  if (stream) return;
  stream = new AbortController();
  cursor = session.changesCursor;
  void follow(stream.signal);
}

export function stopLive(): void {
  stream?.abort();
  stream = null;
  attempt?.abort();
  cursor = null;
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = (attempt = new AbortController());
    try {
      await read(now.signal).finally(() => (hearsOfInvitations = false));
    } catch {
      if (signal.aborted) return;
      // Somebody looks at another board: the stream goes on from its cursor at once.
      if (now.signal.aborted) continue;
    }
    await Promise.all([connection.back(), pause(AGAIN_AFTER_MS, signal)]).catch(() => {});
  }
}

async function read(signal: AbortSignal): Promise<void> {
  const headers = { ...callHeaders(), ...(cursor ? { 'Last-Event-ID': cursor } : {}) };
  const listened = board;
  const query = new URLSearchParams({ invitations: 'true', ...(listened ? { boardKey: listened.key } : {}) });
  const response = await fetch(`/x/v1/changes/stream?${query}`, { headers, signal });
  if (!response.ok) {
    const error = await errorOf(response);
    if (listened && error.status === 404) lose(listened);
    // The server has forgotten what came after this cursor.
    if (cursor && (error.status === 410 || error.status === 400)) {
      cursor = null;
      tell({ items: [], gone: [], everything: true });
    }
    throw error;
  }
  const parser = new EventParser();
  let isCertain = false;
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of parser.take(value)) {
      if (event.id) cursor = event.id;
      if (event.name === 'board' && listened && listened === board) {
        if ((JSON.parse(event.data) as { isMember: boolean }).isMember) listened.listener(isCertain);
        else lose(listened);
        isCertain = true;
      }
      if (event.name === 'invitations') {
        hearsOfInvitations = true;
        for (const listener of invitedListeners) listener();
      }
      if (event.name === 'changes') tell(happenedOf(JSON.parse(event.data) as Schemas['ChangesPage']));
    }
  }
}

/** Not on the board any more: it is looked at once again, which tells so, and listened to no longer. */
function lose(gone: { key: string; listener: BoardListener }): void {
  if (board === gone) board = null;
  gone.listener(true);
}

export function happenedOf(page: Pick<Schemas['ChangesPage'], 'changes' | 'objects'>): Happened {
  const there = new Map(page.objects.filter(isThere).map((object) => [object.objectKey, itemOf(object)]));
  const keys = new Set(page.changes.map((change) => change.objectKey).filter((key) => key !== undefined));
  return { items: [...there.values()], gone: [...keys].filter((key) => !there.has(key)), everything: false };
}

function isThere(object: CloudObject): boolean {
  return object.status === 'A';
}

function tell(happened: Happened): void {
  for (const listener of listeners) listener(happened);
  clearTimeout(profileTimer);
  profileTimer = setTimeout(() => void session.reloadProfile().catch(() => {}), PROFILE_AFTER_MS);
}
