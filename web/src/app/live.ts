// Changes made elsewhere, as they happen: one event stream for the page and all its listeners.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { CloudObject, Schemas } from '../api/client';
import { delay } from '../api/delay';
import { errorOf } from '../api/errors';
import { requestHeaders } from '../api/headers';
import { itemOf, type Item } from '../files/item';
import { connection } from './connection.svelte';
import { at } from './place';
import { session } from './session.svelte';

export interface DriveChanges {
  /** New and changed items in their current state. */
  items: Item[];
  /** Keys of items that were trashed or deleted. */
  gone: string[];
  /** The changes are not known in detail: reload everything. */
  reloadAll: boolean;
}

type Listener = (changes: DriveChanges) => void;
/** `isCertain` is false for the first event of a stream, which only says that the board may have changed. */
type BoardListener = (isCertain: boolean) => void;
interface BoardSubscription {
  key: string;
  listener: BoardListener;
}

const RECONNECT_DELAY_MS = 2000;
// A burst of changes reloads the profile (quota and counters) only once.
const PROFILE_DELAY_MS = 1500;

const listeners = new Set<Listener>();
const invitationListeners = new Set<() => void>();
let cursor: string | null = null;
let stream: AbortController | null = null;
/** The current connection; the stream outlives it. */
let connecting: AbortController | null = null;
let board: BoardSubscription | null = null;
let hasInvitations = false;
/** The pause before the next connection. A server that stops asks each client for another one, to spread them. */
let reconnectDelay = RECONNECT_DELAY_MS;
let profileTimer: ReturnType<typeof setTimeout> | undefined;

/** Subscribe to changes; returns the function that unsubscribes. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Subscribe to changes of one board; returns the function that unsubscribes. There is one subscription at a time. */
export function onBoardChange(key: string, listener: BoardListener): () => void {
  const subscription = { key, listener };
  board = subscription;
  connecting?.abort();
  return () => {
    if (board !== subscription) return;
    board = null;
    connecting?.abort();
  };
}

/** Subscribe to possible changes of the user's invitations; called once at the start of each stream too. */
export function onInvitationsChange(listener: () => void): () => void {
  invitationListeners.add(listener);
  return () => invitationListeners.delete(listener);
}

/** Whether the open stream reports invitations. A server that supports it sends such an event first. */
export function streamsInvitations(): boolean {
  return hasInvitations;
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
  connecting?.abort();
  cursor = null;
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const current = (connecting = new AbortController());
    try {
      await read(current.signal).finally(() => (hasInvitations = false));
    } catch {
      if (signal.aborted) return;
      // Another board was opened: reconnect immediately from the cursor.
      if (current.signal.aborted) continue;
    }
    await Promise.all([connection.restored(), delay(reconnectDelay, signal)]).catch(() => {});
  }
}

async function read(signal: AbortSignal): Promise<void> {
  const headers = { ...requestHeaders(), ...(cursor ? { 'Last-Event-ID': cursor } : {}) };
  const subscribed = board;
  reconnectDelay = RECONNECT_DELAY_MS;
  const query = new URLSearchParams({ invitations: 'true', ...(subscribed ? { boardKey: subscribed.key } : {}) });
  const response = await fetch(at(`/x/v1/changes/stream?${query}`), { headers, signal });
  if (!response.ok) {
    const error = await errorOf(response);
    if (subscribed && error.status === 404) endBoard(subscribed);
    // The cursor has expired.
    if (cursor && (error.status === 410 || error.status === 400)) {
      cursor = null;
      notify({ items: [], gone: [], reloadAll: true });
    }
    throw error;
  }
  const parser = new EventSourceParserStream({ onRetry: (milliseconds) => (reconnectDelay = milliseconds) });
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
  const reader = events.getReader();
  let isCertain = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { id, event, data } = value;
    if (id) cursor = id;
    if (event === 'board' && subscribed && subscribed === board) {
      if ((JSON.parse(data) as { isMember: boolean }).isMember) subscribed.listener(isCertain);
      else endBoard(subscribed);
      isCertain = true;
    }
    if (event === 'invitations') {
      hasInvitations = true;
      for (const listener of invitationListeners) listener();
    }
    if (event === 'changes') notify(parseChanges(JSON.parse(data) as Schemas['ChangesPage']));
  }
}

/** The user is no longer a member: unsubscribe, and let the listener reload the board once, which then fails. */
function endBoard(subscription: BoardSubscription): void {
  if (board === subscription) board = null;
  subscription.listener(true);
}

export function parseChanges(page: Pick<Schemas['ChangesPage'], 'changes' | 'objects'>): DriveChanges {
  const active = new Map(page.objects.filter(isActive).map((object) => [object.objectKey, itemOf(object)]));
  const keys = new Set(page.changes.map((change) => change.objectKey).filter((key) => key !== undefined));
  return { items: [...active.values()], gone: [...keys].filter((key) => !active.has(key)), reloadAll: false };
}

function isActive(object: CloudObject): boolean {
  return object.status === 'A';
}

function notify(changes: DriveChanges): void {
  for (const listener of listeners) listener(changes);
  clearTimeout(profileTimer);
  profileTimer = setTimeout(() => void session.reloadProfile().catch(() => {}), PROFILE_DELAY_MS);
}
