// Short notices at the bottom of the page, some with an undo button.
import { sentenceOf } from '../words/problems';

export interface Notice {
  id: number;
  text: string;
  isError: boolean;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 8000;

class Notices {
  all = $state<Notice[]>([]);
  #last = 0;

  show(text: string, action?: Notice['action']): void {
    this.#add({ id: ++this.#last, text, isError: false, ...(action ? { action } : {}) });
  }

  showError(problem: unknown): void {
    const text = sentenceOf(problem);
    this.#add({ id: ++this.#last, text, isError: true });
  }

  close(id: number): void {
    this.all = this.all.filter((notice) => notice.id !== id);
  }

  #add(notice: Notice): void {
    this.all = [...this.all.slice(-3), notice];
    setTimeout(() => this.close(notice.id), SHOWN_MS);
  }
}

export const notices = new Notices();

/** Run it and show an error notice if it fails. Returns whether it succeeded. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (problem) {
    notices.showError(problem);
    return false;
  }
}
