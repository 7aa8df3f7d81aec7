// Something that a form does: while it is done its button waits, and what went wrong is told where it was asked for.
import { sentenceOf } from '../words/problems';

export class Doing {
  busy = $state(false);
  wrong = $state<string | null>(null);
  #work: () => Promise<unknown>;

  constructor(work: () => Promise<unknown>) {
    this.#work = work;
  }

  /** What the form does when it is sent. */
  readonly submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.do();
  };

  /** The work of the form, or something else that it can do too. */
  async do(work = this.#work): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.wrong = null;
    try {
      await work();
    } catch (problem) {
      this.wrong = sentenceOf(problem);
    } finally {
      this.busy = false;
    }
  }
}
