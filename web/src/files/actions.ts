// The actions for selected items, shown in menus and in the selection bar.
import { pathTo, router } from '../app/router.svelte';
import type { MenuItem } from '../design/Menu.svelte';
import { session } from '../app/session.svelte';
import { t } from '../words';
import type { Item } from './item';

export interface ItemChanges {
  favourite(items: Item[], isFavourite: boolean): Promise<void>;
  trash(items: Item[]): Promise<void>;
  move(items: Item[], folderKey: string): Promise<void>;
  /** Copy into a folder, or each beside its original. */
  copy(items: Item[], folderKey?: string): Promise<void>;
  download(items: Item[]): Promise<void>;
}

export type DialogKind = 'rename' | 'move' | 'copy' | 'share' | 'details' | 'board';

export interface ActionHandlers {
  open: (item: Item) => void;
  openDialog: (kind: DialogKind, items: Item[]) => void;
  changes: ItemChanges;
  /** Whether the list is not the folder that the items are in. */
  isElsewhere?: boolean;
}

/** Open the folder that an item is in, with the item selected. */
export function showInFolder(item: Item): void {
  router.go(folderPath(item));
}

export function folderPath(item: Item): string {
  return folderOf(item, { show: item.key });
}

/** The folder itself: a trashed item is no longer in it. */
export function folderOf(item: Item, query?: Record<string, string>): string {
  const folderKey = item.parentKey === session.rootKey ? null : item.parentKey;
  return pathTo('files', folderKey, query);
}

export function actionsFor(
  items: Item[],
  { open, openDialog, changes, isElsewhere = false }: ActionHandlers,
): MenuItem[] {
  const [only] = items;
  if (!only) return [];
  const areFiles = items.every((item) => item.kind !== 'folder');
  const areFolders = items.every((item) => item.kind === 'folder');
  const areFavourites = items.every((item) => item.isFavourite);
  const actions: (MenuItem | false)[] = [
    items.length === 1 && { label: t('action.open'), icon: 'right', run: () => open(only) },
    isElsewhere &&
      items.length === 1 && { label: t('action.show-in-folder'), icon: 'showInFolder', run: () => showInFolder(only) },
    { label: t('action.download'), icon: 'download', run: () => void changes.download(items) },
    { label: t('action.share'), icon: 'shared', run: () => openDialog('share', items) },
    areFiles && { label: t('boards.add'), icon: 'boards', run: () => openDialog('board', items) },
    !areFolders && {
      label: areFavourites ? t('action.unfavourite') : t('action.favourite'),
      icon: 'favourites',
      run: () => void changes.favourite(items, !areFavourites),
    },
    items.length === 1 && { label: t('action.rename'), icon: 'rename', run: () => openDialog('rename', items) },
    { label: t('action.move'), icon: 'move', run: () => openDialog('move', items) },
    { label: t('action.copy-to'), icon: 'copy', run: () => openDialog('copy', items) },
    { label: t('action.duplicate'), icon: 'duplicate', run: () => void changes.copy(items) },
    areFolders && {
      label: areFavourites ? t('action.unpin') : t('action.pin'),
      icon: areFavourites ? 'unpin' : 'pin',
      run: () => void changes.favourite(items, !areFavourites),
    },
    items.length === 1 && { label: t('action.details'), icon: 'info', run: () => openDialog('details', items) },
    { label: t('action.trash'), icon: 'trash', danger: true, run: () => void changes.trash(items) },
  ];
  return actions.filter((action) => action !== false);
}
