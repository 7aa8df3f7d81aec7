// The rules of uploads: names, chunks, retries, progress.
import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../src/api/errors';
import { validChunkSize, nextChunk } from '../src/upload/chunks';
import { claim, type Names } from '../src/upload/conflicts';
import { wantedOf } from '../src/upload/dropped';
import { duration } from '../src/upload/duration';
import { freeName, isValidName } from '../src/upload/names';
import { ProgressTracker, fraction } from '../src/upload/progress';
import { withRetry, abortable, retryDelayMs } from '../src/upload/retry';
import { problemOf } from '../src/upload/problems';

describe('names', () => {
  it.each(['', '.', '..', 'a/b', 'a\u0000', 'a\u001f', 'a\u007f', 'ä'.repeat(128)])('refuses %j', (name) => {
    expect(isValidName(name)).toBe(false);
  });

  it.each(['a', '...', 'a b', '.hidden', 'ä'.repeat(127), 'a\u0308'.repeat(127), '日本語.txt'])('takes %j', (name) => {
    expect(isValidName(name)).toBe(true);
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

  it('truncate between characters to make space for the number', () => {
    const name = `${'😀'.repeat(62)}.txt`;
    const free = freeName(name, (one) => one === name);
    expect(isValidName(free)).toBe(true);
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

  it('start at the server’s offset', () => {
    expect(nextChunk(1234, 2500, 1000)).toEqual({ start: 1234, end: 2234 });
    expect(nextChunk(2500, 2500, 1000)).toBeNull();
    expect(() => nextChunk(2501, 2500, 1000)).toThrow(RangeError);
  });

  it('have a limited size', () => {
    expect(validChunkSize(1e12)).toBe(64 * 1024 * 1024);
    expect(validChunkSize(1000)).toBe(1000);
    expect(validChunkSize(0)).toBe(8 * 1024 * 1024);
  });
});

describe('a claim', () => {
  const existing = { isFolder: false, hash: 'h', size: 3, modified: 0 };
  const names: Names = new Map([['a', existing]]);
  const file = { name: 'a', as: null, size: 3, hash: 'other', decision: null };

  it('is a conflict only if the content differs and nothing was decided', () => {
    expect(claim(names, file)).toEqual({ is: 'conflict', existing });
    expect(claim(names, { ...file, hash: 'h' })).toEqual({ is: 'unchanged' });
    expect(claim(names, { ...file, decision: 'replace' })).toEqual({ is: 'free', as: 'a' });
    expect(claim(names, { ...file, decision: 'keep' })).toEqual({ is: 'free', as: 'a (1)' });
    expect(claim(names, { ...file, name: 'b' })).toEqual({ is: 'free', as: 'b' });
  });

  it('keeps its name after a reload, so the upload continues', () => {
    expect(claim(names, { ...file, as: 'a (1)', decision: 'keep' })).toEqual({ is: 'free', as: 'a (1)' });
  });
});

describe('retry', () => {
  it('waits for Retry-After, else with capped exponential backoff', () => {
    expect(retryDelayMs(new ApiError(429, '', '', 7), 0, 0)).toBe(7000);
    expect([0, 1, 2, 9].map((tried) => retryDelayMs(new ApiError(503, '', ''), tried, 0))).toEqual([
      1000, 2000, 4000, 30_000,
    ]);
  });

  it('waits for a lost connection', async () => {
    let isRestored = false;
    let tried = 0;
    const line = { restored: () => Promise.resolve().then(() => void (isRestored = true)) };
    const done = await withRetry(async () => {
      tried += 1;
      if (!isRestored) throw new Unreachable();
      return 'done';
    }, line);
    expect([done, tried]).toEqual(['done', 2]);
  });

  it('does not repeat a permanent error', async () => {
    let tried = 0;
    const refused = withRetry(
      () => {
        tried += 1;
        return Promise.reject(new ApiError(413, 'SKY4007', 'full'));
      },
      { restored: () => Promise.resolve() },
    );
    await expect(refused).rejects.toThrow('full');
    expect(tried).toBe(1);
  });

  it('ends at once when aborted', async () => {
    const stop = new AbortController();
    const waiting = abortable(new Promise(() => {}), stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('progress', () => {
  it('is measured in bytes, and in files if they are empty', () => {
    expect(fraction({ files: 1, bytes: 50e6 }, { files: 2, bytes: 100e6 })).toBeCloseTo(0.5);
    expect(fraction({ files: 5, bytes: 0 }, { files: 10, bytes: 0 })).toBe(0.5);
    expect(fraction({ files: 0, bytes: 0 }, { files: 0, bytes: 0 })).toBe(0);
  });

  it('estimates the remaining time from the last seconds’ speed', () => {
    const progress = new ProgressTracker();
    for (let second = 0; second <= 20; second++) {
      progress.record({ files: 0, bytes: second < 10 ? 0 : (second - 10) * 1e6 }, second * 1000);
    }
    expect(progress.bytesPerSecond()).toBe(1e6);
    expect(progress.secondsLeft({ files: 0, bytes: 10e6 }, { files: 0, bytes: 15e6 })).toBe(5);
  });

  it('makes no estimate without enough data', () => {
    const progress = new ProgressTracker();
    progress.record({ files: 0, bytes: 0 }, 0);
    progress.record({ files: 0, bytes: 1000 }, 500);
    expect(progress.secondsLeft({ files: 0, bytes: 1000 }, { files: 0, bytes: 2000 })).toBeNull();
  });

  it.each([
    [0, '1 sec'],
    [59, '59 sec'],
    [125, '2 min'],
    [3600, '1 hr'],
    [5400, '1 hr 30 min'],
    [200_000, '2 days'],
  ])('says %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

it('keeps the paths of a selected folder’s files', () => {
  const file = new File(['x'], 'a.txt', { lastModified: 5 });
  Object.defineProperty(file, 'webkitRelativePath', { value: 'Trip/Day 1/a.txt' });
  expect(wantedOf([file], 'ROOT')).toMatchObject([{ path: ['Trip', 'Day 1'], name: 'a.txt', size: 1, modified: 5 }]);
  expect(wantedOf([new File(['x'], 'b.txt')], 'ROOT')).toMatchObject([{ path: [], name: 'b.txt' }]);
});

it('reports a file that can no longer be read', () => {
  expect(problemOf(new DOMException('gone', 'NotReadableError')).key).toBe('upload.problem.unreadable');
  expect(problemOf(new Unreachable()).key).toBe('upload.problem.unreachable');
});
