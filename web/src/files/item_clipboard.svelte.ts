// Items that were copied or cut with the keyboard, to be pasted into a folder.
import type { Item } from './item';

export interface Clipped {
  items: Item[];
  isCut: boolean;
}

class ItemClipboard {
  content = $state.raw<Clipped | null>(null);

  put(items: Item[], isCut: boolean): void {
    this.content = { items, isCut };
  }

  /** What is pasted; cut items only once. */
  take(): Clipped | null {
    const taken = this.content;
    if (taken?.isCut) this.content = null;
    return taken;
  }
}

export const itemClipboard = new ItemClipboard();
