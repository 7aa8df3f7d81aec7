// What a paused device did, in words.
import { t } from '../words';
import { visibleName } from '../words/formats';
import type { Alarm } from './alarms.svelte';

type Deed = 'deleted' | 'overwritten' | 'moved' | 'scrambled' | 'marked';

export function nameOf(alarm: Pick<Alarm, 'deviceName'>): string {
  return alarm.deviceName ? visibleName(alarm.deviceName) : t('alarm.removed');
}

/** One line for each kind of change that it made. */
export function deedsOf(alarm: Pick<Alarm, Deed>): string[] {
  const { deleted, overwritten, moved, scrambled, marked } = alarm;
  return [
    ...(deleted ? [t('alarm.deleted', { count: deleted })] : []),
    ...(overwritten ? [t('alarm.overwritten', { count: overwritten })] : []),
    ...(moved ? [t('alarm.moved', { count: moved })] : []),
    ...(scrambled ? [t('alarm.scrambled', { count: scrambled })] : []),
    ...(marked ? [t('alarm.marked', { count: marked })] : []),
  ];
}
