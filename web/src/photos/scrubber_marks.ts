// The years beside the timeline, as many as there is room for.
import type { Layout } from './layout';

export interface YearMark {
  year: number;
  /** From 0 at the top to 1 at the end. */
  at: number;
}

export function yearMarks(layout: Layout, height: number, leastGap = 22): YearMark[] {
  const marks: YearMark[] = [];
  let before = -Infinity;
  layout.months.forEach(({ year }, month) => {
    if (month && layout.months[month - 1]!.year === year) return;
    const at = layout.total ? layout.topOf(month) / layout.total : 0;
    if ((at - before) * height < leastGap) return;
    marks.push({ year, at });
    before = at;
  });
  return marks;
}
