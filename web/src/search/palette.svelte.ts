// Whether the search palette is open, and what was searched for before.
import { session } from '../app/session.svelte';

const KEPT = 8;
const KEY = 'skyshelf.searches';

function stored(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string[]>;
  } catch {
    return {};
  }
}

class Palette {
  isOpen = $state(false);

  open(): void {
    if (session.state === 'in') this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  recentSearches(): string[] {
    return stored()[session.userId] ?? [];
  }

  remember(query: string): void {
    const text = query.trim();
    if (!text) return;
    const others = this.recentSearches().filter((one) => one !== text);
    localStorage.setItem(KEY, JSON.stringify({ [session.userId]: [text, ...others].slice(0, KEPT) }));
  }

  /** Called at logout: searches reveal what the user has. */
  forget(): void {
    localStorage.removeItem(KEY);
  }
}

export const palette = new Palette();
