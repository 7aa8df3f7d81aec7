import { describe, expect, test } from 'vitest';
import { GAP, HEADING, Layout, sameView } from '../src/photos/layout';
import { LongScroll } from '../src/photos/long_scroll';
import { monthId, monthName, positionOf, startsOf, type Month } from '../src/photos/months';
import { yearMarks } from '../src/photos/scrubber_marks';

function months(...counts: number[]): Month[] {
  return counts.map((count, index) => ({ year: 2026 - Math.floor(index / 12), month: 12 - (index % 12), count }));
}

// Four columns: 4 cells of 180 and 3 gaps.
const WIDTH = 4 * 180 + 3 * GAP;

describe('months', () => {
  test('a number has a month and an index, up to the end', () => {
    const starts = startsOf(months(3, 5, 1));
    expect(starts).toEqual([0, 3, 8, 9]);
    expect(positionOf(starts, 0)).toEqual({ month: 0, index: 0 });
    expect(positionOf(starts, 3)).toEqual({ month: 1, index: 0 });
    expect(positionOf(starts, 7)).toEqual({ month: 1, index: 4 });
    expect(positionOf(starts, 8)).toEqual({ month: 2, index: 0 });
    expect(positionOf(starts, 9)).toBeNull();
    expect(positionOf(starts, -1)).toBeNull();
    expect(positionOf([0], 0)).toBeNull();
  });

  test('every month has a name, years before 100 too', () => {
    expect(monthName({ year: 2024, month: 6 })).toBe('June 2024');
    expect(monthName({ year: 2024, month: 1 })).toBe('January 2024');
    expect(monthName({ year: 45, month: 3 })).toContain('45');
    expect(monthId({ year: 2024, month: 6 })).toBe('2024-06');
  });
});

describe('layout', () => {
  test('heights follow from the counts', () => {
    const layout = new Layout(months(4, 5, 1), WIDTH, 100);
    expect(layout.columns).toBe(4);
    expect(layout.cell).toBe(180);
    expect(layout.topOf(0)).toBe(100);
    expect(layout.heightOf(1) - layout.heightOf(0)).toBe(layout.rowHeight);
    expect(layout.topOf(1)).toBe(100 + layout.heightOf(0));
    expect(layout.total).toBe(layout.topOf(2) + layout.heightOf(2));
    expect(layout.topOfPicture({ month: 1, index: 4 })).toBe(layout.topOf(1) + HEADING + layout.rowHeight);
  });

  test('a phone has three columns, and the cells fill the width', () => {
    const layout = new Layout(months(10), 344);
    expect(layout.columns).toBe(3);
    expect(layout.cell * 3 + GAP * 2).toBeCloseTo(344);
  });

  test('returns exactly what is in view', () => {
    const layout = new Layout(months(...Array.from({ length: 120 }, () => 1000)), WIDTH);
    const from = layout.topOf(57) + HEADING + 10 * layout.rowHeight + 5;
    const [seen, ...more] = layout.visible(from, from + 800);
    expect(more).toEqual([]);
    expect(seen).toMatchObject({ month: 57, firstRow: 10, endRow: 15, firstIndex: 40, endIndex: 60 });
    const border = layout.visible(layout.topOf(58) - 300, layout.topOf(58) + 300);
    expect(border.map((one) => one.month)).toEqual([57, 58]);
    expect(border[0]!.endIndex).toBe(1000);
    expect(border[1]!.firstIndex).toBe(0);
  });

  test('nothing is above the first month or below the last', () => {
    const layout = new Layout(months(2), WIDTH, 500);
    expect(layout.visible(0, 400)).toEqual([]);
    expect(layout.visible(layout.total + 50, layout.total + 100)[0]).toMatchObject({ firstIndex: 4, endIndex: 2 });
    expect(new Layout([], WIDTH).visible(0, 1000)).toEqual([]);
  });

  test('a view that moves over everything shows every picture', () => {
    const layout = new Layout(months(7, 1, 23, 4), WIDTH, 60);
    const seen = new Set<number>();
    for (let y = 0; y < layout.total; y += 150) {
      for (const one of layout.visible(y, y + 200)) {
        for (let index = one.firstIndex; index < one.endIndex; index++) {
          seen.add(layout.number({ month: one.month, index }));
        }
      }
    }
    expect(seen.size).toBe(35);
  });

  test('a million pictures are laid out at once', () => {
    const layout = new Layout(months(...Array.from({ length: 500 }, () => 2000)), WIDTH);
    expect(layout.count).toBe(1_000_000);
    expect(layout.position(999_999)).toEqual({ month: 499, index: 1999 });
    expect(layout.visible(layout.total / 2, layout.total / 2 + 800).length).toBeLessThan(3);
  });

  test('the view stays when pictures above change or the window is resized', () => {
    const before = new Layout(months(4, 40, 8), WIDTH, 60);
    const y = before.topOf(1) + HEADING + 3 * before.rowHeight;
    const more = new Layout(months(40, 40, 8), WIDTH, 60);
    expect(sameView(before, more, y)).toBe(more.topOf(1) + HEADING + 3 * more.rowHeight);
    const without = new Layout(months(4, 40, 8).slice(1), WIDTH, 60);
    expect(sameView(before, without, y)).toBe(without.topOf(0) + HEADING + 3 * without.rowHeight);
    const narrow = new Layout(months(4, 40, 8), 344, 60);
    expect(sameView(before, narrow, y)).toBe(narrow.topOfPicture({ month: 1, index: 12 }));
    expect(sameView(before, more, 20)).toBe(20);
    const gone = new Layout([months(4, 40, 8)[0]!, months(4, 40, 8)[2]!], WIDTH, 60);
    expect(sameView(before, gone, y)).toBe(gone.topOf(1));
  });

  test('the keyboard keeps the column from month to month', () => {
    const layout = new Layout(months(6, 3, 9), WIDTH);
    expect(layout.step(1, 'ArrowDown')).toBe(5);
    // The row below is shorter: its last picture.
    expect(layout.step(3, 'ArrowDown')).toBe(5);
    expect(layout.step(5, 'ArrowDown')).toBe(7);
    expect(layout.step(8, 'ArrowDown')).toBe(11);
    expect(layout.step(7, 'ArrowUp')).toBe(5);
    expect(layout.step(11, 'ArrowUp')).toBe(8);
    expect(layout.step(12, 'ArrowUp')).toBe(8);
    expect(layout.step(0, 'ArrowUp')).toBe(0);
    expect(layout.step(0, 'ArrowLeft')).toBe(0);
    expect(layout.step(17, 'ArrowRight')).toBe(17);
    expect(layout.step(17, 'ArrowDown')).toBe(17);
    expect(layout.step(4, 'End')).toBe(17);
    expect(layout.step(4, 'Home')).toBe(0);
    expect(layout.step(0, 'PageDown', 2)).toBe(6);
    expect(layout.step(4, 'x')).toBeNull();
  });
});

describe('scrolling', () => {
  test('short content is scrolled directly', () => {
    const scroll = new LongScroll(5000, 800);
    expect(scroll.height).toBe(5000);
    expect(scroll.scrolled(1234)).toEqual({ y: 1234, scrollTop: 1234 });
    expect(scroll.to(99_999)).toEqual({ y: 4200, scrollTop: 4200 });
    expect(scroll.shift).toBe(0);
  });

  test('longer content reaches both ends, and jumps are proportional', () => {
    const scroll = new LongScroll(40_000_000, 800, 10_000);
    expect(scroll.height).toBe(10_000);
    expect(scroll.scrolled(9200).y).toBe(40_000_000 - 800);
    expect(scroll.scrolled(4600).y).toBeCloseTo((40_000_000 - 800) / 2);
    expect(scroll.scrolled(0).y).toBe(0);
  });

  test('small steps move exactly, however many there are', () => {
    const scroll = new LongScroll(40_000_000, 800, 100_000);
    let { y, scrollTop } = scroll.to(20_000_000);
    for (let step = 0; step < 2000; step++) {
      const wanted = y + 100;
      ({ y, scrollTop } = scroll.scrolled(scrollTop + 100));
      expect(y).toBeCloseTo(wanted, 3);
      expect(y - scroll.shift).toBeCloseTo(scrollTop, 3);
    }
  });

  test('the scroll event after a jump does not move', () => {
    const scroll = new LongScroll(40_000_000, 800, 100_000);
    const { scrollTop } = scroll.to(12_345_678);
    expect(scroll.scrolled(scrollTop).y).toBeCloseTo(12_345_678, 3);
  });
});

describe('the scrubber’s years', () => {
  test('each year appears once, without overlaps', () => {
    const layout = new Layout(months(...Array.from({ length: 36 }, () => 40)), WIDTH);
    expect(yearMarks(layout, 600).map((mark) => mark.year)).toEqual([2026, 2025, 2024]);
    expect(yearMarks(layout, 40).map((mark) => mark.year)).toEqual([2026, 2024]);
  });
});
