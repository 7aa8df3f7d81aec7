// While somebody looks at boards, the page asks again and again: the stream tells of one board, and is not always there.
import { connection } from '../app/connection.svelte';

/** Look every so often while the page is seen, and at once when it is seen again; what is returned ends it. */
export function whileSeen(look: () => Promise<void>, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isOver = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (isLooking || isOver) return;
    isLooking = true;
    // What goes wrong here is told by the bar about the connection, or does not matter to anybody.
    if (document.visibilityState === 'visible' && !connection.isLost) await look().catch(() => {});
    isLooking = false;
    if (!isOver) timer = setTimeout(() => void run(), everyMs);
  }

  const seen = (): void => {
    if (document.visibilityState === 'visible') void run();
  };
  document.addEventListener('visibilitychange', seen);
  timer = setTimeout(() => void run(), everyMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
