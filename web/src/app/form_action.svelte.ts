// A form's asynchronous action: `busy` disables the button while it runs, `error` is shown in the form.
import { sentenceOf } from '../words/problems';

export class FormAction {
  busy = $state(false);
  error = $state<string | null>(null);
  #action: () => Promise<unknown>;

  constructor(action: () => Promise<unknown>) {
    this.#action = action;
  }

  /** The form's `onsubmit` handler. */
  readonly submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.run();
  };

  /** Run the form's action, or another one with the same busy state and error. */
  async run(action = this.#action): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    try {
      await action();
    } catch (problem) {
      this.error = sentenceOf(problem);
    } finally {
      this.busy = false;
    }
  }
}
