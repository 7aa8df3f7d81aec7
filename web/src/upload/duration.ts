// How long something will take, in the one or two units that say enough.
import { region } from '../words';

type Unit = 'second' | 'minute' | 'hour' | 'day';

function told(count: number, unit: Unit): string {
  return new Intl.NumberFormat(region, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
}

export function duration(seconds: number): string {
  if (seconds < 60) return told(Math.max(1, Math.round(seconds)), 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return told(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${told(hours, 'hour')} ${told(minutes % 60, 'minute')}` : told(hours, 'hour');
  return told(Math.round(hours / 24), 'day');
}
