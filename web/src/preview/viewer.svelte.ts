// Opens items: folders navigate, files are shown in the viewer, which is loaded on demand.
import { grow } from '../app/transition';
import { layers } from '../app/layers';
import { pathTo, router } from '../app/router.svelte';
import type { ItemStore } from '../files/item_changes';
import type { Item } from '../files/item';
import { ListSource, type ViewSource } from './source.svelte';

export interface Viewing {
  source: ViewSource;
  index: number;
  /** Whether the items can be changed; other people's cannot. */
  isOwn: boolean;
  /** Called with the last index when the viewer closes. */
  onClose: (index: number) => void;
  /** The address of an item while it is shown. */
  path?: ((item: Item) => string) | undefined;
}

export interface ViewerOptions {
  /** The list that receives changes. */
  store?: ItemStore;
  isOwn?: boolean;
  onClose?: (index: number) => void;
  path?: (item: Item) => string;
}

const HISTORY_STATE = 'viewer';

class Viewer {
  viewing = $state.raw<Viewing | null>(null);
  #isClosing = false;

  open(viewing: Viewing): void {
    const isOpen = this.viewing !== null;
    const first = viewing.source.at(viewing.index);
    if (isOpen) this.viewing = viewing;
    else grow(first?.key, () => (this.viewing = viewing));
    // The browser's back button closes the viewer.
    if (isOpen || history.state === HISTORY_STATE) return;
    layers.push(HISTORY_STATE, (first && viewing.path?.(first)) ?? location.href);
  }

  /** The address follows the item that is shown. */
  shows(item: Item): void {
    const path = this.viewing?.path?.(item);
    if (path && history.state === HISTORY_STATE && location.pathname !== path) {
      history.replaceState(HISTORY_STATE, '', path);
    }
  }

  /** Close by going back in the history; calling it twice goes back only once. */
  close(): void {
    layers.whenSettled(() => this.#close());
  }

  #close(): void {
    if (history.state !== HISTORY_STATE) this.viewing = null;
    else if (!this.#isClosing) {
      this.#isClosing = true;
      history.back();
    }
  }

  /** Navigate away from the viewer, replacing its history entry. */
  leave(path: string): void {
    this.viewing = null;
    router.go(path, { replace: history.state === HISTORY_STATE });
  }

  wentBack(): void {
    this.#isClosing = false;
    // Back has closed one of several layers above the viewer.
    if (layers.isAtLayer) return;
    if (history.state !== HISTORY_STATE) this.viewing = null;
  }
}

export const viewer = new Viewer();

/** Show the items in the viewer, starting at an index. */
export function openViewer(items: readonly Item[] | ViewSource, index: number, options: ViewerOptions = {}): void {
  const { store, isOwn = true, onClose = () => {}, path } = options;
  const source = 'at' in items && 'applyChanges' in items ? items : new ListSource(items as readonly Item[], store);
  viewer.open({ source, index, isOwn, onClose, path });
}

/** Open an item of a list: navigate to a folder, or show a file together with the list's other files. */
export function openItem(items: readonly Item[], item: Item, options: ViewerOptions = {}): void {
  if (item.kind === 'folder') {
    router.go(pathTo('files', item.key), { fades: true });
    return;
  }
  const files = items.filter((file) => file.kind !== 'folder');
  const index = files.findIndex((file) => file.key === item.key);
  openViewer(index < 0 ? [item] : files, Math.max(0, index), options);
}
