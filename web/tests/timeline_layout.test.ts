import { describe, expect, test } from 'vitest';
import { GAP, HEADING, MonthRows, type Shape } from '../src/photos/justified';
import { Layout, rowHeight, sameView } from '../src/photos/layout';
import { dayName, dayOf, photoOf } from '../src/photos/photo';
import { isMotionPhoto, stacksOf } from '../src/photos/stacks';
import { LongScroll } from '../src/photos/long_scroll';
import { monthId, monthName, positionOf, startsOf, type Month } from '../src/photos/months';
import { yearMarks } from '../src/photos/scrubber_marks';

function months(...counts: number[]): Month[] {
  return counts.map((count, index) => ({ year: 2026 - Math.floor(index / 12), month: 12 - (index % 12), count }));
}

const WIDTH = 1000;
const TARGET = 200;

/** Pictures of days, by their ratios. */
function days(...ratios: number[][]): Shape[] {
  return ratios.flatMap((day, number) => day.map((ratio) => ({ ratio, day: 1000 - number })));
}

function layoutOf(all: readonly Month[], loaded: Record<string, Shape[]> = {}, width = WIDTH, head = 0): Layout {
  const none: Shape[] = [];
  return new Layout(all, (month) => loaded[monthId(month)] ?? none, width, TARGET, head);
}

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

describe('justified rows', () => {
  test('full rows fill the width, and no picture is cropped', () => {
    const ratios = [1.5, 0.75, 1.33, 1.78, 1, 1.5, 0.66, 1.5, 1.5, 1.2, 0.75];
    const { rows, groups, height } = new MonthRows(days(ratios), ratios.length, WIDTH, TARGET);
    for (const row of rows) {
      for (const cell of row.cells) expect(cell.width / row.height).toBeCloseTo(ratios[cell.index]!, 5);
      const last = row.cells.at(-1)!;
      expect(last.left + last.width).toBeLessThanOrEqual(WIDTH + 0.001);
      if (row !== rows.at(-1)) expect(last.left + last.width).toBeCloseTo(WIDTH, 3);
      expect(row.height).toBeLessThanOrEqual(TARGET * 1.8);
    }
    expect(rows.flatMap((row) => row.cells.map((cell) => cell.index))).toEqual(ratios.map((_, index) => index));
    expect(groups).toMatchObject([{ day: 1000, first: 0, end: 11, top: 0, width: WIDTH }]);
    expect(height).toBeGreaterThan(rows.at(-1)!.top + rows.at(-1)!.height);
  });

  test('short days share a row, each below its heading', () => {
    const { rows, groups } = new MonthRows(days([1], [1.5, 1], [1.5, 1.5]), 5, WIDTH, TARGET);
    expect(rows.map((row) => row.cells.length)).toEqual([3, 2]);
    expect(groups.map(({ left, top }) => [left > 0, top > 0])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
    expect(rows[0]!.top).toBe(HEADING);
    expect(rows[1]!.top).toBe(groups[2]!.top + HEADING);
  });

  test('panoramas and unknown shapes have bounds', () => {
    const shapes = [
      { ratio: 40, day: 1 },
      { ratio: 0.01, day: 1 },
      { ratio: null, day: 1 },
    ];
    const { rows } = new MonthRows(shapes, 3, 344, 110);
    for (const { cells } of rows) for (const { width } of cells) expect(width).toBeLessThanOrEqual(344.001);
  });

  test('hidden parts of a stack take no place', () => {
    const shapes = days([1, 1, 1, 1, 1, 1, 1]).map((shape, index) => ({
      ...shape,
      isHidden: index === 1 || index === 2,
    }));
    const { rows } = new MonthRows(shapes, 7, WIDTH, TARGET);
    expect(rows.flatMap((row) => row.cells.map((cell) => cell.index))).toEqual([0, 3, 4, 5, 6]);
  });

  test('phones have lower rows, and the density changes them', () => {
    expect([rowHeight(344, 2), rowHeight(1300, 2)]).toEqual([110, 200]);
    expect(rowHeight(1300, 0)).toBeLessThan(rowHeight(1300, 4));
  });
});

describe('layout', () => {
  test('what is not loaded has an estimated height, in rows of the usual shape', () => {
    const layout = layoutOf(months(40, 5), {}, WIDTH, 100);
    expect(layout.topOf(0)).toBe(100);
    // Four pictures of 4:3 fit beside each other.
    expect(layout.heightOf(0)).toBeGreaterThan(10 * TARGET);
    expect(layout.topOf(1)).toBe(100 + layout.heightOf(0));
    expect(layout.total).toBe(layout.topOf(1) + layout.heightOf(1));
  });

  test('a month that is loaded in part goes on with estimated rows', () => {
    const layout = layoutOf(months(40), { '2026-12': days([1, 1, 1, 1, 1, 1]) });
    const indexes = layout.visible(0, layout.total)[0]!.rows.flatMap((row) => row.cells.map((cell) => cell.index));
    expect(indexes).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  test('a view that moves over everything shows every picture', () => {
    const layout = layoutOf(
      months(7, 1, 23, 4),
      { '2026-10': days([1, 2, 1.5], [0.5], [1.5, 1.5, 1.5, 1.5, 1]) },
      WIDTH,
      60,
    );
    const seen = new Set<number>();
    for (let y = 0; y < layout.total; y += 150) {
      for (const { month, rows } of layout.visible(y, y + 200))
        for (const row of rows) for (const { index } of row.cells) seen.add(layout.number({ month, index }));
    }
    expect(seen.size).toBe(35);
  });

  test('nothing is above the first month, and an empty timeline has nothing', () => {
    expect(layoutOf(months(2), {}, WIDTH, 500).visible(0, 400)).toEqual([]);
    expect(layoutOf([]).visible(0, 1000)).toEqual([]);
  });

  test('a million pictures are laid out at once', () => {
    const layout = layoutOf(months(...Array.from({ length: 500 }, () => 2000)));
    expect(layout.count).toBe(1_000_000);
    expect(layout.position(999_999)).toEqual({ month: 499, index: 1999 });
    const seen = layout.visible(layout.total / 2, layout.total / 2 + 800);
    expect(seen.flatMap(({ rows }) => rows).length).toBeLessThan(10);
  });

  test('the view stays when pictures above it are loaded, added or removed', () => {
    const all = months(4, 40, 8);
    const before = layoutOf(all, {}, WIDTH, 60);
    const y = before.topOf(1) + HEADING + 3 * (TARGET + GAP);
    const into = y - before.topOf(1);
    const loaded = layoutOf(all, { '2026-12': days([1], [1], [1.5], [2]) }, WIDTH, 60);
    expect(sameView(before, loaded, y)).toBeCloseTo(loaded.topOf(1) + into);
    const more = layoutOf(months(400, 40, 8), {}, WIDTH, 60);
    expect(sameView(before, more, y)).toBeCloseTo(more.topOf(1) + into);
    expect(sameView(before, more, 20)).toBe(20);
    const without = layoutOf([all[0]!, all[2]!], {}, WIDTH, 60);
    expect(sameView(before, without, y)).toBe(without.topOf(1));
  });

  test('the view shows the same picture when its month is loaded or the window is resized', () => {
    const all = months(40);
    const before = layoutOf(all);
    const row = before.visible(0, before.total)[0]!.rows[5]!;
    for (const now of [layoutOf(all, { '2026-12': days(Array<number>(40).fill(0.7)) }), layoutOf(all, {}, 344)]) {
      const there = now.rowOf({ month: 0, index: row.cells[0]!.index })!;
      expect(sameView(before, now, row.top)).toBeCloseTo(there.top);
    }
  });

  test('the keyboard goes to what is above and below, over days and months', () => {
    const shapes = { '2026-12': days([1, 1], [1, 1]), '2026-11': days([1, 1, 1]) };
    const layout = layoutOf(months(4, 3, 2), shapes);
    expect(layout.step(0, 'ArrowRight')).toBe(1);
    expect(layout.step(0, 'ArrowDown')).toBe(4);
    expect(layout.step(3, 'ArrowDown')).toBe(6);
    expect(layout.step(6, 'ArrowDown')).toBe(8);
    expect(layout.step(4, 'ArrowUp')).toBe(0);
    expect(layout.step(0, 'ArrowUp')).toBe(0);
    expect(layout.step(8, 'ArrowRight')).toBe(8);
    expect(layout.step(0, 'PageDown', 2)).toBe(7);
    expect(layout.step(4, 'End')).toBe(8);
    expect(layout.step(4, 'Home')).toBe(0);
    expect(layout.step(4, 'x')).toBeNull();
  });
});

describe('days', () => {
  test('have the year unless it is the present one', () => {
    const day = dayOf(Date.UTC(2026, 10, 14, 23, 59));
    expect(dayName(day, new Date(2026, 11, 1))).toBe('Sat, November 14');
    expect(dayName(day, new Date(2027, 0, 1))).toContain('2026');
  });

  test('are those of the camera’s clock, or else of the file', () => {
    const item = { key: 'K', created: 5 } as Parameters<typeof photoOf>[0];
    const fact = { objectKey: 'K', version: 1, takenDate: 7, width: 3, height: 2, latitude: 38.7, longitude: -9.1 };
    expect(photoOf(item, fact)).toMatchObject({
      taken: 7,
      isDated: true,
      ratio: 1.5,
      place: { latitude: 38.7, longitude: -9.1 },
    });
    expect(photoOf(item, undefined)).toMatchObject({ taken: 5, isDated: false, ratio: null, place: null });
  });
});

describe('stacks', () => {
  const part = (name: string, taken = 1_700_000_000_000, more = {}): Parameters<typeof stacksOf>[0][number] => ({
    name,
    kind: /mov|mp4$/i.test(name) ? 'video' : 'image',
    parentKey: 'F',
    taken,
    isDated: true,
    ratio: 1.5,
    ...more,
  });

  test('a picture and a film of the same name and moment are a live photo', () => {
    const taken = 1_700_000_000_000;
    const photos = [part('IMG_1.HEIC', taken), part('IMG_1.MOV', taken + 2000), part('IMG_2.JPG'), part('other.mov')];
    expect(stacksOf(photos)).toEqual(new Map([0, 1].map((index) => [index, { kind: 'live', parts: [0, 1] }])));
    // The film's time is often in UTC.
    expect(stacksOf([part('a.jpg', taken), part('a.mov', taken - 7_200_000)]).size).toBe(2);
  });

  test('the same name in another folder or of another day is no live photo', () => {
    const taken = 1_700_000_000_000;
    expect(stacksOf([part('a.jpg', taken), part('a.mov', taken, { parentKey: 'G' })]).size).toBe(0);
    expect(stacksOf([part('a.jpg', taken), part('a.mov', taken - 30 * 3_600_000)]).size).toBe(0);
    expect(stacksOf([part('a.jpg', taken), part('a.mov', taken - 40 * 60_000)]).size).toBe(0);
  });

  test('bursts are known by their names, with the cover on top', () => {
    const names = ['PXL_1.BURST-01.jpg', 'PXL_1.BURST-02.COVER.jpg', 'PXL_1.BURST-03.jpg'];
    expect(stacksOf(names.map((name) => part(name))).get(0)).toEqual({ kind: 'burst', parts: [1, 2, 0] });
    expect(stacksOf(['20190101_120000_001.jpg', '20190101_120000_002.jpg'].map((name) => part(name))).size).toBe(2);
  });

  test('numbered pictures of the same second are a burst, if the camera says so', () => {
    const names = ['IMG_13.jpg', 'IMG_12.jpg', 'IMG_11.jpg'];
    expect(stacksOf(names.map((name) => part(name))).get(0)?.parts).toEqual([2, 1, 0]);
    expect(stacksOf(names.map((name) => part(name, undefined, { isDated: false }))).size).toBe(0);
    expect(stacksOf(['IMG_1.jpg', 'IMG_5.jpg', 'IMG_9.jpg'].map((name) => part(name))).size).toBe(0);
    expect(stacksOf(names.slice(1).map((name) => part(name))).size).toBe(0);
  });

  test('motion photos are known by their names', () => {
    expect(isMotionPhoto(part('PXL_20210101_120000123.MP.jpg'))).toBe(true);
    expect(isMotionPhoto(part('MVIMG_20190101.jpg'))).toBe(true);
    expect(isMotionPhoto(part('IMG_1.jpg'))).toBe(false);
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
    const layout = layoutOf(months(...Array.from({ length: 36 }, () => 40)));
    expect(yearMarks(layout, 600).map((mark) => mark.year)).toEqual([2026, 2025, 2024]);
    expect(yearMarks(layout, 40).map((mark) => mark.year)).toEqual([2026, 2024]);
  });
});
