// Changing items of a list, with notices about the result and undo.
import { attempt, notices } from '../app/notices.svelte';
import { t } from '../words';
import type { ItemChanges } from './actions';
import { download } from './download';
import type { Item } from './item';
import * as operations from './operations';

/** A list of items that can be updated. */
export interface ItemStore {
  put(...changed: Item[]): void;
  drop(keys: Iterable<string>): void;
}

export function showFailures(failed: readonly operations.Failure[]): void {
  if (failed.length) notices.showError(t('items.failed', { count: failed.length, reason: failed[0]!.reason }));
}

export function itemChanges(store: () => ItemStore): ItemChanges {
  return {
    async favourite(items, isFavourite) {
      await attempt(async () => {
        const { done, failed } = await operations.setFavourite(items, isFavourite);
        store().put(...done);
        showFailures(failed);
      });
    },

    async trash(items) {
      await attempt(async () => {
        const { done, failed } = await operations.trash(items);
        const keys = done.map((item) => item.key);
        store().drop(keys);
        showFailures(failed);
        if (!keys.length) return;
        notices.show(t('trash.done', { count: keys.length }), {
          label: t('undo'),
          run: () => void attempt(() => undoTrash(store(), keys)),
        });
      });
    },

    async move(items, folderKey) {
      await attempt(async () => {
        const { done, failed } = await operations.move(items, folderKey);
        store().put(...done);
        showFailures(failed);
        if (done.length) notices.show(t('move.done', { count: done.length }));
      });
    },

    async download(items) {
      await attempt(() => download(items));
    },
  };
}

async function undoTrash(store: ItemStore, keys: string[]): Promise<void> {
  const { done, failed } = await operations.restore(keys);
  store.put(...done);
  showFailures(failed);
}
