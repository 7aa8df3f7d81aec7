// Changing items of a list, with notices about the result and undo.
import { GET, dataOf } from '../api/client';
import { attempt, notices } from '../app/notices.svelte';
import { session } from '../app/session.svelte';
import { t } from '../words';
import { visibleName } from '../words/formats';
import type { ItemChanges } from './actions';
import { copyItems } from './copying';
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
        notices.showUndoable(
          t('trash.done', { count: keys.length }),
          () => void attempt(() => undoTrash(store(), keys)),
        );
      });
    },

    async move(items, folderKey) {
      await attempt(async () => {
        const moved = items.filter((item) => item.parentKey !== folderKey);
        const { done, failed } = await operations.move(moved, folderKey);
        store().put(...done);
        showFailures(failed);
        if (!done.length) return;
        const before = new Map(moved.map((item) => [item.key, item]));
        const text = t('move.done-to', { count: done.length, name: await folderName(folderKey) });
        notices.showUndoable(text, () => void attempt(() => undoMove(store(), done, before)));
      });
    },

    async copy(items, folderKey) {
      await attempt(() => copy(store(), items, folderKey));
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

function byFolder(items: Item[], folderOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(folderOf(item), [...(groups.get(folderOf(item)) ?? []), item]);
  return groups;
}

/** Move each item back to its own folder. What cannot go back, because its name is taken, stays where it is. */
async function undoMove(store: ItemStore, moved: Item[], before: Map<string, Item>): Promise<void> {
  const origins = byFolder(moved, (item) => before.get(item.key)?.parentKey ?? '');
  let count = 0;
  for (const [folderKey, items] of origins) {
    const { done, failed } = await operations.move(items, folderKey);
    store.put(...done);
    showFailures(failed);
    count += done.length;
  }
  if (count) notices.show(t('move.undone', { count }));
}

async function copy(store: ItemStore, items: Item[], folderKey: string | undefined): Promise<void> {
  const stopped = new AbortController();
  const notice = notices.showProgress(t('copy.copying', { count: 0 }), {
    label: t('cancel'),
    run: () => stopped.abort(),
  });
  const copies: Item[] = [];
  const failed: operations.Failure[] = [];
  let before = 0;
  try {
    const targets = byFolder(items, (item) => folderKey ?? item.parentKey ?? '');
    for (const [target, some] of targets) {
      let copied = 0;
      const outcome = await copyItems(
        some,
        target,
        (count) => {
          copied = count;
          notice.update(t('copy.copying', { count: before + count }));
        },
        stopped.signal,
      );
      before += copied;
      copies.push(...outcome.done);
      failed.push(...outcome.failed);
    }
  } catch (problem) {
    if (!stopped.signal.aborted) throw problem;
  } finally {
    notice.close();
  }
  store.put(...copies);
  showFailures(failed);
  if (!copies.length) return;
  notices.showUndoable(t('copy.done', { count: copies.length }), () => {
    void attempt(async () => {
      const undone = await operations.trash(copies);
      store.drop(undone.done.map((item) => item.key));
      showFailures(undone.failed);
    });
  });
}

/** Rename an item; the notice about it undoes it. */
export async function renameItem(store: ItemStore, item: Item, name: string): Promise<void> {
  const renamed = await operations.rename(item, name);
  store.put(renamed);
  if (renamed.name === item.name) return;
  notices.showUndoable(t('rename.done', { name: visibleName(renamed.name) }), () => {
    void attempt(async () => store.put(await operations.rename(renamed, item.name)));
  });
}

async function folderName(folderKey: string): Promise<string> {
  if (folderKey === session.rootKey) return t('section.files');
  try {
    const params = { params: { path: { object_key: folderKey } } };
    return visibleName((await dataOf(GET('/x/v1/objects/{object_key}', params))).object.objectName);
  } catch {
    return t('section.files');
  }
}
