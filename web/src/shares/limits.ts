// A link's limits: conversion between form fields and requests.

export interface LimitFields {
  name: string;
  /** The last day, as in a date field; empty for no expiry. */
  until: string;
  /** Whether a link keeps the password that it has. */
  hasPassword: boolean;
  /** A new one; empty for none, or for no change. */
  password: string;
  /** Empty for no limit. */
  downloads: string;
  /** The most files that guests may send, and the largest one in MiB; empty for the server's limits. */
  uploads: string;
  largest: string;
}

const MIB = 1024 * 1024;

export interface LinkLimits {
  shareName: string;
  expiryDate?: number;
  maxDownloads?: number;
  maxUploads?: number;
  maxUploadBytes?: number;
  hasPassword?: boolean;
}

export function fieldsOf(link: LinkLimits): LimitFields {
  return {
    name: link.shareName,
    until: link.expiryDate ? localDay(lastMoment(link.expiryDate)) : '',
    hasPassword: link.hasPassword ?? false,
    password: '',
    downloads: link.maxDownloads ? String(link.maxDownloads) : '',
    uploads: link.maxUploads ? String(link.maxUploads) : '',
    largest: link.maxUploadBytes ? String(link.maxUploadBytes / MIB) : '',
  };
}

/** The request for the form's fields; `0` and '' remove a limit. */
export function changeOf(
  fields: LimitFields,
  previous: LinkLimits,
): {
  shareName: string;
  expiryDate?: number;
  password?: string;
  maxDownloads?: number;
  maxUploads?: number;
  maxUploadBytes?: number;
} {
  const expiryDate = fields.until ? endOfDay(fields.until) : 0;
  const maxDownloads = Number(fields.downloads) || 0;
  const maxUploads = Number(fields.uploads) || 0;
  const maxUploadBytes = Math.round((Number(fields.largest) || 0) * MIB);
  return {
    shareName: fields.name.trim() || previous.shareName,
    ...(expiryDate || previous.expiryDate ? { expiryDate } : {}),
    ...(maxDownloads || previous.maxDownloads ? { maxDownloads } : {}),
    ...(maxUploads || previous.maxUploads ? { maxUploads } : {}),
    ...(maxUploadBytes || previous.maxUploadBytes ? { maxUploadBytes } : {}),
    ...passwordChange(fields, previous),
  };
}

function passwordChange(fields: LimitFields, previous: LinkLimits): { password?: string } {
  if (previous.hasPassword && !fields.hasPassword) return { password: '' };
  return fields.password ? { password: fields.password } : {};
}

/** The end of a day in the user's time zone. */
function endOfDay(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date + 1).getTime();
}

/** A link expires at the start of the day after its last one. */
export function lastMoment(expiryDate: number): number {
  return expiryDate - 1;
}

export function localDay(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
