// How lists are shown, as the person last chose it.
import type { Sort } from './folder.svelte';

const KEPT = 'skyshelf.view';

function kept(): { look: 'list' | 'grid'; sort: Sort } {
  const usual = { look: 'list' as const, sort: { field: 'objectName' as const, down: false } };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as object) };
  } catch {
    return usual;
  }
}

class ViewChoice {
  #look = $state<'list' | 'grid'>(kept().look);
  #sort = $state.raw<Sort>(kept().sort);

  get look(): 'list' | 'grid' {
    return this.#look;
  }

  set look(look: 'list' | 'grid') {
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
    localStorage.setItem(KEPT, JSON.stringify({ look: this.#look, sort: this.#sort }));
  }
}

export const viewChoice = new ViewChoice();
