// Durations in one or two units, such as `1 hr 30 min`.
import { region } from '../words';

type Unit = 'second' | 'minute' | 'hour' | 'day';

function format(count: number, unit: Unit): string {
  return new Intl.NumberFormat(region, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
}

export function duration(seconds: number): string {
  if (seconds < 60) return format(Math.max(1, Math.round(seconds)), 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return format(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24)
    return minutes % 60 ? `${format(hours, 'hour')} ${format(minutes % 60, 'minute')}` : format(hours, 'hour');
  return format(Math.round(hours / 24), 'day');
}
