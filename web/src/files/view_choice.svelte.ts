// How lists are shown, as the user last chose.
import type { Sort } from './folder.svelte';

type Layout = 'list' | 'grid';

function stored(name: string, layout: Layout): { layout: Layout; sort: Sort } {
  const defaults = { layout, sort: { field: 'objectName' as const, descending: false } };
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as object) };
  } catch {
    return defaults;
  }
}

export class ViewChoice {
  #name: string;
  #layout: Layout;
  #sort: Sort;

  constructor(name: string, defaultLayout: Layout) {
    this.#name = name;
    const { layout, sort } = stored(name, defaultLayout);
    this.#layout = $state(layout);
    this.#sort = $state.raw(sort);
  }

  get layout(): Layout {
    return this.#layout;
  }

  set layout(layout: Layout) {
    this.#layout = layout;
    this.#store();
  }

  get sort(): Sort {
    return this.#sort;
  }

  set sort(sort: Sort) {
    this.#sort = sort;
    this.#store();
  }

  #store(): void {
    localStorage.setItem(this.#name, JSON.stringify({ layout: this.#layout, sort: this.#sort }));
  }
}

export const viewChoice = new ViewChoice('skyshelf.view', 'list');
/** Boards contain mostly pictures. */
export const boardView = new ViewChoice('skyshelf.board-view', 'grid');
