// Changes of the page that are shown as one movement, where the browser can and the user wants it.
import { tick } from 'svelte';

const STEP_MS = 16;
const MOST_MS = 240;
const NAME = 'picture';

function isAnimated(): boolean {
  return (
    typeof document.startViewTransition === 'function' &&
    document.visibilityState === 'visible' &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

/** Fade from one page to another. */
export function fade(change: () => void): void {
  if (!isAnimated()) return change();
  start(async () => {
    change();
    await tick();
  });
}

/** Let a picture of a list grow into the viewer. */
export function grow(key: string | undefined, change: () => void): void {
  const from = key ? document.querySelector<HTMLElement>(`[id$="-${CSS.escape(key)}"] img:not(.tiny)`) : null;
  if (!from || !isAnimated()) return change();
  from.style.viewTransitionName = NAME;
  let to: HTMLElement | null = null;
  start(
    async () => {
      change();
      await tick();
      from.style.viewTransitionName = '';
      // The viewer is loaded when it is first needed; without it the page fades.
      for (let waited = 0; waited < MOST_MS; waited += STEP_MS) {
        to = document.querySelector<HTMLElement>('dialog[open] .frame img');
        if (to) break;
        await new Promise((done) => setTimeout(done, STEP_MS));
      }
      if (to) to.style.viewTransitionName = NAME;
    },
    () => {
      from.style.viewTransitionName = '';
      if (to) to.style.viewTransitionName = '';
    },
  );
}

function start(change: () => Promise<void>, done: () => void = () => {}): void {
  const transition = document.startViewTransition(change);
  // A transition that another one replaces is not a problem of the page.
  transition.ready.catch(() => {});
  transition.updateCallbackDone.catch(() => {});
  transition.finished.then(done, done);
}
