// The years shown on the scrubber, as many as fit.
import type { Layout } from './layout';

export interface YearMark {
  year: number;
  /** 0 at the top, 1 at the end. */
  at: number;
}

export function yearMarks(layout: Layout, height: number, minGap = 22): YearMark[] {
  const marks: YearMark[] = [];
  let previous = -Infinity;
  layout.months.forEach(({ year }, month) => {
    if (month && layout.months[month - 1]!.year === year) return;
    const at = layout.total ? layout.topOf(month) / layout.total : 0;
    if ((at - previous) * height < minGap) return;
    marks.push({ year, at });
    previous = at;
  });
  return marks;
}
