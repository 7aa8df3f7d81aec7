// Scripts that are loaded on demand.
import { uploads } from '../upload/uploads.svelte';
import { connection } from './connection.svelte';

const RELOADED = 'skyshelf.reloaded';
const AGAIN_MS = 60_000;

/**
 * Load a script. A browser remembers that a script could not be loaded for as long as the page lives, and an update of
 * the server may have replaced it, so the page is loaded again as soon as the server can be reached.
 */
export async function lazily<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (problem) {
    connection.markLost();
    void connection.restored().then(reload);
    if (navigator.onLine) void connection.check();
    throw problem;
  }
}

/** Not while something is open or on its way, and not again and again. */
function reload(): void {
  const last = Number(sessionStorage.getItem(RELOADED));
  if (Date.now() - last < AGAIN_MS || uploads.queue?.isBusy || document.querySelector('dialog[open]')) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
