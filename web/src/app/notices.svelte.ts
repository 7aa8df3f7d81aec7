// Short notices at the bottom of the page, some with an undo button.
import { t } from '../words';
import { sentenceOf } from '../words/problems';

export interface Notice {
  id: number;
  text: string;
  isError: boolean;
  /** Its action undoes what it announces. */
  isUndo?: boolean;
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

  /** A notice that stays while something is in progress; `cancel` stops it. */
  showProgress(text: string, cancel?: Notice['action']): { update: (text: string) => void; close: () => void } {
    const id = ++this.#last;
    this.all = [...this.all.slice(-3), { id, text, isError: false, ...(cancel ? { action: cancel } : {}) }];
    return {
      update: (changed) => {
        this.all = this.all.map((notice) => (notice.id === id ? { ...notice, text: changed } : notice));
      },
      close: () => this.close(id),
    };
  }

  /** Whether the last change that is still announced can be undone. */
  get canUndo(): boolean {
    return this.all.some((notice) => notice.isUndo);
  }

  /** Undo the last change that is still announced. */
  undo(): void {
    const notice = this.all.findLast((shown) => shown.isUndo);
    if (!notice) return;
    this.close(notice.id);
    notice.action?.run();
  }

  showUndoable(text: string, run: () => void): void {
    this.#add({ id: ++this.#last, text, isError: false, isUndo: true, action: { label: t('undo'), run } });
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
