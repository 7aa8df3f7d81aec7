// Short notices at the edge of the page, some with a way back.
import { sentenceOf } from '../words/problems';

export interface Notice {
  id: number;
  text: string;
  isWrong: boolean;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 8000;

class Notices {
  all = $state<Notice[]>([]);
  #last = 0;

  say(text: string, action?: Notice['action']): void {
    this.#add({ id: ++this.#last, text, isWrong: false, ...(action ? { action } : {}) });
  }

  wrong(problem: unknown): void {
    const text = sentenceOf(problem);
    this.#add({ id: ++this.#last, text, isWrong: true });
  }

  close(id: number): void {
    this.all = this.all.filter((one) => one.id !== id);
  }

  #add(notice: Notice): void {
    this.all = [...this.all.slice(-3), notice];
    setTimeout(() => this.close(notice.id), SHOWN_MS);
  }
}

export const notices = new Notices();

/** Do it, and tell what went wrong where something did; whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (problem) {
    notices.wrong(problem);
    return false;
  }
}
