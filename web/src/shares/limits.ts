// What limits a link, between the fields of a form and what the server takes.

export interface LimitFields {
  name: string;
  /** A day as a date field has it; empty: without end. */
  until: string;
  hasPassword: boolean;
  password: string;
  /** Empty: as often as anybody likes. */
  downloads: string;
}

export interface LinkLimits {
  shareName: string;
  expiryDate?: number;
  maxDownloads?: number;
  hasPassword?: boolean;
}

export function fieldsOf(link: LinkLimits): LimitFields {
  return {
    name: link.shareName,
    until: link.expiryDate ? localDay(link.expiryDate - 1) : '',
    hasPassword: link.hasPassword ?? false,
    password: '',
    downloads: link.maxDownloads ? String(link.maxDownloads) : '',
  };
}

/** What to send so that the link becomes what the fields say; `0` and '' take a limit away. */
export function changeOf(
  fields: LimitFields,
  had: LinkLimits,
): {
  shareName: string;
  expiryDate?: number;
  password?: string;
  maxDownloads?: number;
} {
  const expiryDate = fields.until ? endOfDay(fields.until) : 0;
  const maxDownloads = Number(fields.downloads) || 0;
  return {
    shareName: fields.name.trim() || had.shareName,
    ...(expiryDate || had.expiryDate ? { expiryDate } : {}),
    ...(maxDownloads || had.maxDownloads ? { maxDownloads } : {}),
    ...passwordChange(fields, had),
  };
}

function passwordChange(fields: LimitFields, had: LinkLimits): { password?: string } {
  if (!fields.hasPassword) return had.hasPassword ? { password: '' } : {};
  return fields.password ? { password: fields.password } : {};
}

/** The last moment of a day, where the person is. */
function endOfDay(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date + 1).getTime();
}

export function localDay(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
