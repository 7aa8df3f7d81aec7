// What happens to the drive elsewhere, as it happens: one stream for the page, for everybody on it who listens.
import { callHeaders, pause, type CloudObject, type Schemas } from '../api/client';
import { errorOf } from '../api/errors';
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

const listeners = new Set<Listener>();
const AGAIN_AFTER_MS = 2000;
// Quota and counters follow changes, but not each of a thousand.
const PROFILE_AFTER_MS = 1500;
let cursor: string | null = null;
let stream: AbortController | null = null;
let profileTimer: ReturnType<typeof setTimeout> | undefined;

/** Be told of changes; what is returned ends it. */
export function whenChanged(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
  cursor = null;
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await read(signal);
    } catch {
      if (signal.aborted) return;
    }
    await Promise.all([connection.back(), pause(AGAIN_AFTER_MS, signal)]).catch(() => {});
  }
}

async function read(signal: AbortSignal): Promise<void> {
  const headers = { ...callHeaders(), ...(cursor ? { 'Last-Event-ID': cursor } : {}) };
  const response = await fetch('/x/v1/changes/stream', { headers, signal });
  if (!response.ok) {
    const error = await errorOf(response);
    // The server has forgotten what came after this cursor.
    if (cursor && (error.status === 410 || error.status === 400)) {
      cursor = null;
      tell({ items: [], gone: [], everything: true });
    }
    throw error;
  }
  const parser = new EventParser();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of parser.take(value)) {
      if (event.id) cursor = event.id;
      if (event.name === 'changes') tell(happenedOf(JSON.parse(event.data) as Schemas['ChangesPage']));
    }
  }
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
