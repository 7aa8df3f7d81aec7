// Changes to the objects of a list, with what is said about them and the way back.
import { attempt, notices } from '../app/notices.svelte';
import { t } from '../words';
import type { Changes } from './actions';
import { contentUrl, type Item } from './item';
import * as operations from './operations';

/** A list that shows objects and can take changed ones. */
export interface ItemStore {
  put(...changed: Item[]): void;
  drop(keys: Iterable<string>): void;
}

export function tellFailures({ failed }: operations.Outcome): void {
  if (failed.length) notices.wrong(t('items.failed', { count: failed.length, reason: failed[0]!.reason }));
}

export function changesOf(store: () => ItemStore): Changes {
  return {
    async favourite(items, isFavourite) {
      await attempt(async () => {
        const outcome = await operations.setFavourite(items, isFavourite);
        store().put(...outcome.done);
        tellFailures(outcome);
      });
    },

    async trash(items) {
      await attempt(async () => {
        const outcome = await operations.trash(items);
        const keys = outcome.done.map((item) => item.key);
        store().drop(keys);
        tellFailures(outcome);
        if (!keys.length) return;
        notices.say(t('trash.done', { count: keys.length }), {
          label: t('undo'),
          run: () => void attempt(() => takeBack(store(), keys)),
        });
      });
    },

    async move(items, folderKey) {
      await attempt(async () => {
        const outcome = await operations.move(items, folderKey);
        store().put(...outcome.done);
        tellFailures(outcome);
        if (outcome.done.length) notices.say(t('move.done', { count: outcome.done.length }));
      });
    },

    download(items) {
      for (const item of items) {
        const link = document.createElement('a');
        link.href = contentUrl(item);
        link.download = item.name;
        link.click();
      }
    },
  };
}

async function takeBack(store: ItemStore, keys: string[]): Promise<void> {
  const back = await operations.restore(keys);
  store.put(...back.done);
  tellFailures(back);
}
