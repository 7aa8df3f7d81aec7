// The one place that opens objects: folders lead there, files come into the viewer. The viewer itself is loaded then.
import { pathTo, router } from '../app/router.svelte';
import type { ItemStore } from '../files/changing';
import type { Item } from '../files/item';
import { ListSource, type ViewSource } from './source.svelte';

export interface Viewing {
  source: ViewSource;
  index: number;
  /** Whether objects can be changed: somebody else's cannot. */
  isOwn: boolean;
  /** Told where somebody was when the viewer closes. */
  closed: (index: number) => void;
}

export interface ViewerOptions {
  /** The list that the objects come from, which takes what is changed. */
  store?: ItemStore;
  isOwn?: boolean;
  closed?: (index: number) => void;
}

const MARK = 'viewer';

class Opening {
  viewing = $state.raw<Viewing | null>(null);
  #isClosing = false;

  open(viewing: Viewing): void {
    const isOpen = this.viewing !== null;
    this.viewing = viewing;
    // The way back closes the viewer, as people expect of something that fills the screen.
    if (!isOpen) history.pushState(MARK, '', location.href);
  }

  /** Close as the way back does; asking twice is no reason to go two steps. */
  close(): void {
    if (history.state !== MARK) this.viewing = null;
    else if (!this.#isClosing) {
      this.#isClosing = true;
      history.back();
    }
  }

  /** Go somewhere else from the viewer: its own entry of the history is the one that is taken. */
  leave(path: string): void {
    this.viewing = null;
    router.go(path, { replace: history.state === MARK });
  }

  wentBack(): void {
    this.#isClosing = false;
    if (history.state !== MARK) this.viewing = null;
  }
}

export const opening = new Opening();

/** Show the objects in the viewer, starting with that one. */
export function openViewer(items: readonly Item[] | ViewSource, index: number, options: ViewerOptions = {}): void {
  const { store, isOwn = true, closed = () => {} } = options;
  const source = 'at' in items && 'follow' in items ? items : new ListSource(items as readonly Item[], store);
  opening.open({ source, index, isOwn, closed });
}

/** Open one of a list: a folder is gone to, a file is shown, with the other files of the list beside it. */
export function openItem(items: readonly Item[], item: Item, options: ViewerOptions = {}): void {
  if (item.kind === 'folder') {
    router.go(pathTo('files', item.key));
    return;
  }
  const files = items.filter((one) => one.kind !== 'folder');
  const index = files.findIndex((one) => one.key === item.key);
  openViewer(index < 0 ? [item] : files, Math.max(0, index), options);
}
