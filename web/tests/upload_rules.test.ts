// The small rules of uploads: names, chunks, waits, pace.
import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../src/api/errors';
import { goodChunkSize, nextChunk } from '../src/upload/chunks';
import { claim, type Names } from '../src/upload/conflicts';
import { wantedOf } from '../src/upload/dropped';
import { duration } from '../src/upload/duration';
import { freeName, isGoodName } from '../src/upload/names';
import { Pace, share } from '../src/upload/pace';
import { persistently, unlessStopped, waitMs } from '../src/upload/patience';
import { problemOf } from '../src/upload/problems';

describe('names', () => {
  it.each(['', '.', '..', 'a/b', 'a\u0000', 'a\u001f', 'a\u007f', 'ä'.repeat(128)])('refuses %j', (name) => {
    expect(isGoodName(name)).toBe(false);
  });

  it.each(['a', '...', 'a b', '.hidden', 'ä'.repeat(127), 'a\u0308'.repeat(127), '日本語.txt'])('takes %j', (name) => {
    expect(isGoodName(name)).toBe(true);
  });

  it.each([
    ['a.txt', ['a.txt'], 'a (1).txt'],
    ['a.txt', ['a.txt', 'a (1).txt'], 'a (2).txt'],
    ['a', ['a'], 'a (1)'],
    ['.profile', ['.profile'], '.profile (1)'],
    ['a.tar.gz', ['a.tar.gz'], 'a.tar (1).gz'],
    ['a.txt', ['b.txt'], 'a.txt'],
  ])('keeps %s beside %j as %s', (name, taken, free) => {
    expect(freeName(name, (one) => taken.includes(one))).toBe(free);
  });

  it('cuts a long name so that the number fits, between characters', () => {
    const name = `${'😀'.repeat(62)}.txt`;
    const free = freeName(name, (one) => one === name);
    expect(isGoodName(free)).toBe(true);
    expect(free).toMatch(/^(😀)+ \(1\)\.txt$/u);
  });
});

describe('chunks', () => {
  it('cover the file without a gap', () => {
    const covered: number[] = [];
    for (let at = 0, next = nextChunk(0, 2500, 1000); next; next = nextChunk(at, 2500, 1000)) {
      expect(next.start).toBe(at);
      covered.push((at = next.end));
    }
    expect(covered).toEqual([1000, 2000, 2500]);
  });

  it('begin anywhere, as the server says', () => {
    expect(nextChunk(1234, 2500, 1000)).toEqual({ start: 1234, end: 2234 });
    expect(nextChunk(2500, 2500, 1000)).toBeNull();
    expect(() => nextChunk(2501, 2500, 1000)).toThrow(RangeError);
  });

  it('have a size that can be sent', () => {
    expect(goodChunkSize(1e12)).toBe(64 * 1024 * 1024);
    expect(goodChunkSize(1000)).toBe(1000);
    expect(goodChunkSize(0)).toBe(8 * 1024 * 1024);
  });
});

describe('a claim', () => {
  const there = { isFolder: false, hash: 'h', size: 3, modified: 0 };
  const names: Names = new Map([['a', there]]);
  const file = { name: 'a', as: null, size: 3, hash: 'other', decision: null };

  it('is a question only where the content differs and nobody has decided', () => {
    expect(claim(names, file)).toEqual({ is: 'question', there });
    expect(claim(names, { ...file, hash: 'h' })).toEqual({ is: 'unchanged' });
    expect(claim(names, { ...file, decision: 'replace' })).toEqual({ is: 'free', as: 'a' });
    expect(claim(names, { ...file, decision: 'keep' })).toEqual({ is: 'free', as: 'a (1)' });
    expect(claim(names, { ...file, name: 'b' })).toEqual({ is: 'free', as: 'b' });
  });

  it('keeps the name that it had before a reload, so that its upload goes on', () => {
    expect(claim(names, { ...file, as: 'a (1)', decision: 'keep' })).toEqual({ is: 'free', as: 'a (1)' });
  });
});

describe('patience', () => {
  it('waits as long as the server asks, else twice as long each time, and never without end', () => {
    expect(waitMs(new ApiError(429, '', '', 7), 0, 0)).toBe(7000);
    expect([0, 1, 2, 9].map((tried) => waitMs(new ApiError(503, '', ''), tried, 0))).toEqual([
      1000, 2000, 4000, 30_000,
    ]);
  });

  it('waits for the connection to come back', async () => {
    let isBack = false;
    let tried = 0;
    const line = { back: () => Promise.resolve().then(() => void (isBack = true)) };
    const done = await persistently(async () => {
      tried += 1;
      if (!isBack) throw new Unreachable();
      return 'done';
    }, line);
    expect([done, tried]).toEqual(['done', 2]);
  });

  it('does not repeat what was refused', async () => {
    let tried = 0;
    const refused = persistently(
      () => {
        tried += 1;
        return Promise.reject(new ApiError(413, 'SKY4007', 'full'));
      },
      { back: () => Promise.resolve() },
    );
    await expect(refused).rejects.toThrow('full');
    expect(tried).toBe(1);
  });

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    const waiting = unlessStopped(new Promise(() => {}), stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('pace', () => {
  it('tells the share by bytes, and by files where they have none', () => {
    expect(share({ files: 1, bytes: 50e6 }, { files: 2, bytes: 100e6 })).toBeCloseTo(0.5);
    expect(share({ files: 5, bytes: 0 }, { files: 10, bytes: 0 })).toBe(0.5);
    expect(share({ files: 0, bytes: 0 }, { files: 0, bytes: 0 })).toBe(0);
  });

  it('tells the speed of the last seconds, and the time that is left at that speed', () => {
    const pace = new Pace();
    for (let second = 0; second <= 20; second++) {
      pace.note({ files: 0, bytes: second < 10 ? 0 : (second - 10) * 1e6 }, second * 1000);
    }
    expect(pace.bytesPerSecond()).toBe(1e6);
    expect(pace.secondsLeft({ files: 0, bytes: 10e6 }, { files: 0, bytes: 15e6 })).toBe(5);
  });

  it('says nothing before it can know', () => {
    const pace = new Pace();
    pace.note({ files: 0, bytes: 0 }, 0);
    pace.note({ files: 0, bytes: 1000 }, 500);
    expect(pace.secondsLeft({ files: 0, bytes: 1000 }, { files: 0, bytes: 2000 })).toBeNull();
  });

  it.each([
    [0, '1 sec'],
    [59, '59 sec'],
    [125, '2 min'],
    [3600, '1 hr'],
    [5400, '1 hr 30 min'],
    [200_000, '2 days'],
  ])('says %d seconds as %s', (seconds, told) => {
    expect(duration(seconds)).toBe(told);
  });
});

it('knows the way to the files of a chosen folder', () => {
  const file = new File(['x'], 'a.txt', { lastModified: 5 });
  Object.defineProperty(file, 'webkitRelativePath', { value: 'Trip/Day 1/a.txt' });
  expect(wantedOf([file], 'ROOT')).toMatchObject([{ path: ['Trip', 'Day 1'], name: 'a.txt', size: 1, modified: 5 }]);
  expect(wantedOf([new File(['x'], 'b.txt')], 'ROOT')).toMatchObject([{ path: [], name: 'b.txt' }]);
});

it('says that a file cannot be read any more', () => {
  expect(problemOf(new DOMException('gone', 'NotReadableError')).word).toBe('upload.problem.unreadable');
  expect(problemOf(new Unreachable()).word).toBe('upload.problem.unreachable');
});
