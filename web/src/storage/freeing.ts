// Freeing space through the trash, so that it can be undone.
import { attempt, notices } from '../app/notices.svelte';
import { showFailures } from '../files/item_changes';
import type { Item } from '../files/item';
import { restore, trash } from '../files/operations';
import { t } from '../words';
import { size } from '../words/formats';

/** Move files to the trash; the notice says what emptying it frees, and undoes it. Returns the keys that are gone. */
export async function trashToFree(files: Item[], undone: () => void): Promise<Set<string>> {
  const keys = new Set<string>();
  await attempt(async () => {
    const { done, failed } = await trash(files);
    showFailures(failed);
    for (const item of done) keys.add(item.key);
    if (!done.length) return;
    const bytes = done.reduce((sum, item) => sum + item.bytes, 0);
    notices.showUndoable(t('storage.trashed', { count: done.length, size: size(bytes) }), () => {
      void attempt(async () => {
        showFailures((await restore([...keys])).failed);
        undone();
      });
    });
  });
  return keys;
}
