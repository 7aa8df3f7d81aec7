// The actions for selected items, shown in menus and in the selection bar.
import type { MenuItem } from '../design/Menu.svelte';
import { t } from '../words';
import type { Item } from './item';

export interface ItemChanges {
  favourite(items: Item[], isFavourite: boolean): Promise<void>;
  trash(items: Item[]): Promise<void>;
  move(items: Item[], folderKey: string): Promise<void>;
  download(items: Item[]): Promise<void>;
}

export type DialogKind = 'rename' | 'move' | 'share' | 'details' | 'board';

export interface ActionHandlers {
  open: (item: Item) => void;
  openDialog: (kind: DialogKind, items: Item[]) => void;
  changes: ItemChanges;
}

export function actionsFor(items: Item[], { open, openDialog, changes }: ActionHandlers): MenuItem[] {
  const [only] = items;
  if (!only) return [];
  const areFiles = items.every((item) => item.kind !== 'folder');
  const areFavourites = items.every((item) => item.isFavourite);
  const actions: (MenuItem | false)[] = [
    items.length === 1 && { label: t('action.open'), icon: 'right', run: () => open(only) },
    { label: t('action.download'), icon: 'download', run: () => void changes.download(items) },
    { label: t('action.share'), icon: 'shared', run: () => openDialog('share', items) },
    areFiles && { label: t('boards.add'), icon: 'boards', run: () => openDialog('board', items) },
    {
      label: areFavourites ? t('action.unfavourite') : t('action.favourite'),
      icon: 'favourites',
      run: () => void changes.favourite(items, !areFavourites),
    },
    items.length === 1 && { label: t('action.rename'), icon: 'rename', run: () => openDialog('rename', items) },
    { label: t('action.move'), icon: 'move', run: () => openDialog('move', items) },
    items.length === 1 && { label: t('action.details'), icon: 'info', run: () => openDialog('details', items) },
    { label: t('action.trash'), icon: 'trash', danger: true, run: () => void changes.trash(items) },
  ];
  return actions.filter((action) => action !== false);
}
