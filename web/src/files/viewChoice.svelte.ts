// How lists are shown, as the person last chose it.
import type { Sort } from './folder.svelte';

type Look = 'list' | 'grid';

function kept(name: string, look: Look): { look: Look; sort: Sort } {
  const usual = { look, sort: { field: 'objectName' as const, down: false } };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as object) };
  } catch {
    return usual;
  }
}

export class ViewChoice {
  #name: string;
  #look: Look;
  #sort: Sort;

  constructor(name: string, usual: Look) {
    this.#name = name;
    const { look, sort } = kept(name, usual);
    this.#look = $state(look);
    this.#sort = $state.raw(sort);
  }

  get look(): Look {
    return this.#look;
  }

  set look(look: Look) {
    this.#look = look;
    this.#keep();
  }

  get sort(): Sort {
    return this.#sort;
  }

  set sort(sort: Sort) {
    this.#sort = sort;
    this.#keep();
  }

  #keep(): void {
    localStorage.setItem(this.#name, JSON.stringify({ look: this.#look, sort: this.#sort }));
  }
}

export const viewChoice = new ViewChoice('skyshelf.view', 'list');
/** A board is mostly pictures. */
export const boardView = new ViewChoice('skyshelf.board-view', 'grid');
