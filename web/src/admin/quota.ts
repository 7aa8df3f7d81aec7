// Storage limits: people type gibibytes, the server counts bytes.

const GIB = 1024 ** 3;

/** The bytes of a figure in GiB, with either decimal separator; null if the field is empty. */
export function bytesOf(gib: string): number | null {
  return gib.trim() ? Math.round(Number(gib.trim().replace(',', '.')) * GIB) : null;
}

/** The figure of a limit in GiB, as somebody would type it. */
export function gibOf(bytes: number): string {
  return String(Math.round((bytes / GIB) * 100) / 100);
}
