// Polling while the page is visible, for changes that the event stream does not report.
import { connection } from '../app/connection.svelte';

/** Call `poll` periodically while the page is visible, and as soon as it becomes visible; returns the function that stops it. */
export function pollWhileVisible(poll: () => Promise<void>, intervalMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isStopped = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (isRunning || isStopped) return;
    isRunning = true;
    // A lost connection is shown by its own bar; other errors wait for the next poll.
    if (document.visibilityState === 'visible' && !connection.isLost) await poll().catch(() => {});
    isRunning = false;
    if (!isStopped) timer = setTimeout(() => void run(), intervalMs);
  }

  const visibilityChanged = (): void => {
    if (document.visibilityState === 'visible') void run();
  };
  document.addEventListener('visibilitychange', visibilityChanged);
  timer = setTimeout(() => void run(), intervalMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', visibilityChanged);
  };
}
