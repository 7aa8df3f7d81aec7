// A QR code as one path of squares. The server tells it as rows of 1 (dark) and 0 (light), without the light around it.

/** How many squares of light a reader wants around a code. */
export const QUIET = 4;

export function qrPath(rows: string[]): string {
  return rows
    .flatMap((row, y) =>
      // One stroke for each run of dark squares keeps the path short.
      [...row.matchAll(/1+/g)].map((run) => `M${run.index + QUIET} ${y + QUIET}h${run[0].length}v1h-${run[0].length}z`),
    )
    .join('');
}
