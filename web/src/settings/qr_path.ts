// A QR code as one SVG path. The server sends rows of 1 (dark) and 0 (light), without the quiet zone.

/** The width of the quiet zone, in modules. */
export const QUIET_ZONE = 4;

export function qrPath(rows: string[]): string {
  return rows
    .flatMap((row, y) =>
      // One rectangle per run of dark modules keeps the path short.
      [...row.matchAll(/1+/g)].map(
        (run) => `M${run.index + QUIET_ZONE} ${y + QUIET_ZONE}h${run[0].length}v1h-${run[0].length}z`,
      ),
    )
    .join('');
}
