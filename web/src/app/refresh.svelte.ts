// Loading a page again, as pulling it down on a phone does.
import { session } from './session.svelte';

class Refresh {
  /** Pages are created again when it changes. */
  count = $state(0);

  page(): void {
    this.count += 1;
    void session.reloadProfile().catch(() => {});
  }
}

export const refresh = new Refresh();
