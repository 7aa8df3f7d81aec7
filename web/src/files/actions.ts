// What can be done with the selected objects, as a menu and as a bar show it.
import type { MenuItem } from '../design/Menu.svelte';
import { t } from '../words';
import type { Item } from './item';

export interface Changes {
  favourite(items: Item[], isFavourite: boolean): Promise<void>;
  trash(items: Item[]): Promise<void>;
  move(items: Item[], folderKey: string): Promise<void>;
  download(items: Item[]): void;
}

export type Question = 'rename' | 'move' | 'share' | 'details' | 'board';

export interface Doing {
  open: (item: Item) => void;
  ask: (question: Question, items: Item[]) => void;
  changes: Changes;
}

export function actionsFor(items: Item[], { open, ask, changes }: Doing): MenuItem[] {
  const [only] = items;
  if (!only) return [];
  const areFiles = items.every((item) => item.kind !== 'folder');
  const areFavourites = items.every((item) => item.isFavourite);
  const actions: (MenuItem | false)[] = [
    items.length === 1 && { label: t('action.open'), icon: 'right', run: () => open(only) },
    areFiles && { label: t('action.download'), icon: 'download', run: () => changes.download(items) },
    { label: t('action.share'), icon: 'shared', run: () => ask('share', items) },
    areFiles && { label: t('boards.add'), icon: 'boards', run: () => ask('board', items) },
    {
      label: areFavourites ? t('action.unfavourite') : t('action.favourite'),
      icon: 'favourites',
      run: () => void changes.favourite(items, !areFavourites),
    },
    items.length === 1 && { label: t('action.rename'), icon: 'rename', run: () => ask('rename', items) },
    { label: t('action.move'), icon: 'move', run: () => ask('move', items) },
    items.length === 1 && { label: t('action.details'), icon: 'info', run: () => ask('details', items) },
    { label: t('action.trash'), icon: 'trash', danger: true, run: () => void changes.trash(items) },
  ];
  return actions.filter((action) => action !== false);
}
