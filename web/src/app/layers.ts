// Layers above the page: dialogs, sheets, drawers. The browser's Back closes the uppermost one before it leaves the page.
//
// Each layer adds an entry to the history whose state says how many layers are open. When a layer is closed otherwise, its
// entry is left over: the next layer or page takes it, or else it is left by going back, which takes the browser a moment.

interface Layer {
  close: () => void;
}

class Layers {
  #open: Layer[] = [];
  #isReturning = false;
  #waiting: (() => void)[] = [];

  /** Call before the router listens: a page that is closed here must not be left as well. */
  start(): void {
    addEventListener('popstate', () => this.#arrived());
  }

  /** Add a layer; returns the function to call when it has been closed. */
  add(close: () => void): () => void {
    const layer = { close };
    this.#open.push(layer);
    this.#whenSettled(() => {
      if (this.#open.includes(layer) && depth() < this.#open.length) {
        history.pushState({ layers: this.#open.length }, '', location.href);
      }
    });
    return () => {
      const at = this.#open.indexOf(layer);
      if (at < 0) return;
      this.#open.splice(at, 1);
      // Not at once: what follows, another dialog or another page, may take the entry.
      setTimeout(() => this.#whenSettled(() => this.#leave()));
    };
  }

  /** Whether the history is at a layer, not at the page below. */
  get isAtLayer(): boolean {
    return depth() > 0;
  }

  /** Add an entry to the history, instead of one that a closed layer has left. */
  push(state: unknown, path: string, then: () => void = () => {}): void {
    this.#whenSettled(() => {
      if (depth() > 0) history.replaceState(state, '', path);
      else history.pushState(state, '', path);
      then();
    });
  }

  /** Run something when the browser is where it should be: at once, unless it is going back. */
  whenSettled(work: () => void): void {
    this.#whenSettled(() => {
      this.#leave();
      this.#whenSettled(work);
    });
  }

  #whenSettled(work: () => void): void {
    if (this.#isReturning) this.#waiting.push(work);
    else work();
  }

  #leave(): void {
    const extra = depth() - this.#open.length;
    if (extra <= 0 || this.#isReturning) return;
    this.#isReturning = true;
    history.go(-extra);
  }

  #arrived(): void {
    if (this.#isReturning) {
      this.#isReturning = false;
      for (const work of this.#waiting.splice(0)) this.#whenSettled(work);
      return;
    }
    while (this.#open.length > depth()) this.#open.pop()!.close();
    this.#leave();
  }
}

function depth(): number {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'layers' in state ? Number(state.layers) : 0;
}

export const layers = new Layers();
