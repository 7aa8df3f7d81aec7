// The queue with everything that can happen to it, on a server of the test.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, Unreachable } from '../src/api/errors';
import { SINGLE_REQUEST_BYTES } from '../src/upload/chunks';
import { CONCURRENCY, Queue, type Hooks } from '../src/upload/queue.svelte';
import { Task, type Decision } from '../src/upload/task.svelte';
import { ROOT, TestServer, emptyFolder, wanted } from './upload_server';

let server: TestServer;
beforeEach(() => {
  server = new TestServer();
});
afterEach(() => vi.useRealTimers());

const queueOf = (hooks: Hooks = {}): Queue => new Queue(server.context(), hooks);
const gated = (): (() => void) => {
  let open = (): void => {};
  server.gate = new Promise((resolve) => (open = resolve));
  return open;
};
const large = (): Uint8Array<ArrayBuffer> => new Uint8Array(SINGLE_REQUEST_BYTES + 2500).fill(7);
const until = (is: () => boolean): Promise<void> => vi.waitFor(() => expect(is()).toBe(true), 3000);

/** Answers every question that comes. */
async function deciding(queue: Queue, decision: Decision, forAll: boolean): Promise<number> {
  let questions = 0;
  const conflicts = setInterval(() => {
    if (queue.conflict) {
      questions += 1;
      queue.decide(decision, forAll);
    }
  }, 20);
  await queue.idle();
  clearInterval(conflicts);
  return questions;
}

describe('a tree', () => {
  it('is uploaded with its folders, each created once, including empty ones', async () => {
    const done: string[] = [];
    const queue = queueOf({ onDone: (item) => done.push(item.name) });
    const files = Array.from({ length: 30 }, (_, n) => wanted(`${n}.txt`, `text ${n}`, 'Trip', n % 2 ? 'odd' : 'even'));
    queue.add([...files, emptyFolder('nothing', 'Trip')]);
    await queue.idle();
    expect(server.listing()).toEqual(['Trip']);
    expect(server.listing(server.folder('Trip'))).toEqual(['even', 'nothing', 'odd']);
    expect(server.listing(server.folder('Trip', 'odd'))).toHaveLength(15);
    expect(server.count('folder')).toBe(4);
    expect(server.made.map((folder) => folder.name).sort()).toEqual(['Trip', 'even', 'nothing', 'odd']);
    expect(done).toHaveLength(30);
    expect(server.count('names'), 'a folder that was just made need not be read').toBe(0);
    expect(queue.summary).toMatchObject({ files: 31, finished: 31, failed: 0, fraction: 1 });
  });

  it('is merged into an existing folder', async () => {
    const there = await server.createFolder('Trip', ROOT);
    const queue = queueOf();
    queue.add([wanted('a.txt', 'a', 'Trip'), wanted('b.txt', 'b', 'Trip')]);
    await queue.idle();
    expect(server.listing(there.key)).toEqual(['a.txt', 'b.txt']);
    expect(server.count('names ROOT')).toBe(1);
  });

  it('fails only where a file has the folder’s name', async () => {
    server.has('Trip', 'a file');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'a', 'Trip'), wanted('b.txt')]);
    await queue.idle();
    expect(server.listing()).toEqual(['Trip', 'b.txt']);
    expect(queue.rows.find((task) => task.name === 'a.txt')?.problem?.key).toBe('upload.problem.taken');
  });
});

it('is uploaded a few files at a time', async () => {
  const open = gated();
  const queue = queueOf();
  queue.add(Array.from({ length: 20 }, (_, n) => wanted(`${n}.txt`)));
  await until(() => server.atOnce === CONCURRENCY);
  open();
  await queue.idle();
  expect(server.mostAtOnce).toBe(CONCURRENCY);
});

it('of ten thousand files lists only the latest finished ones', async () => {
  const queue = queueOf();
  queue.add(Array.from({ length: 10_000 }, (_, n) => wanted(`${n}.txt`, 'x')));
  await queue.idle();
  expect(queue.summary).toMatchObject({ files: 10_000, finished: 10_000, bytes: 10_000 });
  expect(queue.rows.length).toBeLessThanOrEqual(200);
  expect(server.count('names')).toBe(1);
  expect(server.listing()).toHaveLength(10_000);
}, 30_000);

describe('an existing name', () => {
  it('with the same content is skipped silently', async () => {
    server.has('a.txt', 'same');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'same')]);
    await queue.idle();
    expect(server.count('sendWhole')).toBe(0);
    expect(queue.rows[0]?.state).toBe('unchanged');
    expect(queue.summary).toMatchObject({ finished: 1, skipped: 1 });
  });

  it('gets a new version when the user replaces it', async () => {
    server.has('a.txt', 'old');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'new')]);
    expect(await deciding(queue, 'replace', false)).toBe(1);
    expect(server.version('a.txt')).toBe(2);
  });

  it('is kept beside the new file', async () => {
    server.has('a.txt', 'old');
    server.has('a (1).txt', 'older');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'new')]);
    await deciding(queue, 'keep', false);
    expect(server.listing()).toEqual(['a (1).txt', 'a (2).txt', 'a.txt']);
  });

  it('is left alone when the user skips it', async () => {
    server.has('a.txt', 'old');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'new')]);
    await deciding(queue, 'skip', false);
    expect(server.version('a.txt')).toBe(1);
    expect(queue.rows[0]?.state).toBe('skipped');
  });

  it('is asked about once if the decision is for all, including later files', async () => {
    for (let n = 0; n < 50; n++) server.has(`${n}.txt`, 'old');
    const queue = queueOf();
    queue.add(Array.from({ length: 50 }, (_, n) => wanted(`${n}.txt`, 'new')));
    expect(await deciding(queue, 'replace', true)).toBe(1);
    expect(Array.from({ length: 50 }, (_, n) => server.version(`${n}.txt`))).toEqual(Array(50).fill(2));
  });

  it('is asked about again in the next run', async () => {
    server.has('a.txt', 'old');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'new')]);
    await deciding(queue, 'replace', true);
    queue.add([wanted('a.txt', 'newer')]);
    expect(await deciding(queue, 'skip', false)).toBe(1);
  });

  it('does not hold up other files', async () => {
    server.has('a.txt', 'old');
    const queue = queueOf();
    queue.add([wanted('a.txt', 'new'), ...Array.from({ length: 10 }, (_, n) => wanted(`${n}.txt`))]);
    await until(() => queue.summary.finished === 10);
    expect(queue.summary.conflicts).toBe(1);
    expect(queue.conflict?.name).toBe('a.txt');
  });

  it('of a folder cannot be replaced, even if the decision is for all', async () => {
    await server.createFolder('a', ROOT);
    server.has('b', 'old');
    const queue = queueOf();
    queue.add([wanted('b', 'new'), wanted('a', 'a file')]);
    await until(() => queue.summary.conflicts === 2);
    queue.decide('replace', true);
    await until(() => queue.conflict?.name === 'a');
    queue.decide('keep', false);
    await queue.idle();
    expect(server.listing()).toEqual(['a', 'a (1)', 'b']);
    expect(server.version('b')).toBe(2);
  });

  it('may belong to a file of the same run', async () => {
    const queue = queueOf();
    queue.add([wanted('a.txt', 'one'), wanted('a.txt', 'two')]);
    await deciding(queue, 'keep', false);
    expect(server.listing()).toEqual(['a (1).txt', 'a.txt']);
  });
});

describe('a large file', () => {
  it('is sent in chunks', async () => {
    server.chunkSize = 1024 * 1024;
    const queue = queueOf();
    queue.add([wanted('film.mp4', large())]);
    await queue.idle();
    const at = (n: number): number => n * 1024 * 1024;
    expect(server.calls.filter((call) => call.startsWith('chunk'))).toEqual([
      ...[0, 1, 2, 3].map((n) => `chunk ${at(n)}+${at(1)}`),
      `chunk ${at(4)}+2500`,
    ]);
    expect(server.listing()).toEqual(['film.mp4']);
  });

  it('continues from the server’s offset when only the response was lost', async () => {
    server.chunkSize = 2 * 1024 * 1024;
    let isLost = false;
    server.onKept = (received) => {
      if (received === 2 * 1024 * 1024 && !isLost) {
        isLost = true;
        throw new Unreachable();
      }
    };
    const queue = queueOf();
    queue.add([wanted('film.mp4', large())]);
    await queue.idle();
    expect(server.listing()).toEqual(['film.mp4']);
    expect(server.count('chunk 0+')).toBe(2);
    expect(server.count('chunk 2097152+')).toBe(1);
  });

  it('starts over when the server has cancelled the upload', async () => {
    server.chunkSize = 2 * 1024 * 1024;
    let calls = 0;
    server.refusal = (call) => {
      if (call.startsWith('chunk') && ++calls === 2) server.cancelUploads();
    };
    const queue = queueOf();
    queue.add([wanted('film.mp4', large())]);
    await queue.idle();
    expect(server.count('initiate')).toBe(2);
    expect(server.listing()).toEqual(['film.mp4']);
  });

  it('continues after a pause', async () => {
    server.chunkSize = 1024 * 1024;
    const queue = queueOf();
    server.onKept = (received) => {
      if (received === 2 * 1024 * 1024) queue.pause();
    };
    queue.add([wanted('film.mp4', large())]);
    await until(() => queue.summary.waiting === 1 && queue.summary.running === 0);
    expect(queue.isPaused).toBe(true);
    server.onKept = () => {};
    queue.resume();
    await queue.idle();
    expect(server.count('chunk 0+'), 'what was sent is not sent again').toBe(1);
    expect(server.count('chunk 1048576+')).toBe(1);
    expect(server.listing()).toEqual(['film.mp4']);
  });

  it('that changes while it is sent fails, and is hashed again on retry', async () => {
    vi.useFakeTimers();
    let isChanging = true;
    server.refusal = (call) => {
      if (call.startsWith('chunk') && isChanging) throw new ApiError(400, 'SKY4003', 'wrong chunk');
    };
    const queue = queueOf();
    queue.add([wanted('film.mp4', large())]);
    let idle = queue.idle();
    await vi.advanceTimersByTimeAsync(10_000);
    await idle;
    expect(queue.rows[0]?.problem?.key).toBe('upload.problem.changed');
    expect(server.count('chunk')).toBe(3);
    expect(queue.rows[0]?.hash).toBeNull();
    isChanging = false;
    queue.retry();
    idle = queue.idle();
    await vi.advanceTimersByTimeAsync(10_000);
    await idle;
    expect(server.listing()).toEqual(['film.mp4']);
  });

  it('fails if the server’s offset never advances', async () => {
    server.chunk = (upload) => Promise.resolve({ upload, offset: 0 });
    const queue = queueOf();
    queue.add([wanted('film.mp4', large())]);
    await queue.idle();
    expect(queue.summary.failed).toBe(1);
  });
});

describe('errors', () => {
  it('of one file do not affect the others', async () => {
    server.maxFileSize = 100;
    server.refusal = (call) => {
      if (call === 'sendWhole full.txt') throw new ApiError(413, 'SKY4007', 'full');
      if (call === 'sendWhole odd.txt') throw new ApiError(418, 'TEAPOT', 'I am a teapot');
    };
    const queue = queueOf();
    const bad = `${'x'.repeat(300)}.txt`;
    queue.add([
      wanted('full.txt'),
      wanted('odd.txt'),
      wanted('big.txt', 'x'.repeat(101)),
      wanted(bad),
      wanted('good.txt'),
    ]);
    await queue.idle();
    expect(server.listing()).toEqual(['good.txt']);
    const problems = Object.fromEntries(queue.rows.map((task) => [task.name, task.problem]));
    expect(problems['full.txt']).toEqual({ key: 'upload.problem.full' });
    expect(problems['odd.txt']).toEqual({ key: 'upload.problem.refused', values: { reason: 'I am a teapot' } });
    expect(problems['big.txt']).toEqual({ key: 'upload.problem.larger-than', values: { limit: '100 B' } });
    expect(problems[bad]).toEqual({ key: 'upload.problem.name' });
    expect(queue.summary).toMatchObject({ finished: 1, failed: 4, fraction: 1 });
  });

  it('can be retried', async () => {
    server.refusal = () => {
      throw new ApiError(413, 'SKY4007', 'full');
    };
    const queue = queueOf();
    queue.add([wanted('a.txt'), wanted('b.txt')]);
    await queue.idle();
    server.refusal = () => {};
    queue.retry();
    await queue.idle();
    expect(server.listing()).toEqual(['a.txt', 'b.txt']);
    expect(queue.summary).toMatchObject({ finished: 2, failed: 0 });
  });

  it('that are transient are retried without creating a second version', async () => {
    vi.useFakeTimers();
    let refusals = 3;
    server.refusal = () => {
      if (refusals-- > 0) throw new ApiError(503, 'SKY5001', 'no storage');
    };
    const queue = queueOf();
    queue.add([wanted('a.txt')]);
    const idle = queue.idle();
    await vi.advanceTimersByTimeAsync(20_000);
    await idle;
    expect(server.version('a.txt')).toBe(1);
  });

  it('that persist are shown in the end', async () => {
    vi.useFakeTimers();
    server.refusal = () => {
      throw new ApiError(500, 'SKY5000', 'a fault');
    };
    const queue = queueOf();
    queue.add([wanted('a.txt')]);
    const idle = queue.idle();
    await vi.advanceTimersByTimeAsync(300_000);
    await idle;
    expect(queue.summary.failed).toBe(1);
  });

  it('of a small file’s response do not create a second version', async () => {
    const store = server.sendWhole.bind(server);
    server.sendWhole = async (about, file, sending) => {
      await store(about, file, sending);
      throw new Unreachable();
    };
    const queue = queueOf();
    queue.add([wanted('a.txt')]);
    await queue.idle();
    expect(server.version('a.txt')).toBe(1);
    expect(queue.summary.finished).toBe(1);
  });

  it('of the session requeue everything until the next login', async () => {
    server.refusal = () => {
      throw new ApiError(401, 'TEJGA0401', 'logged out');
    };
    const queue = queueOf({ isSessionOver: (problem) => problem instanceof ApiError && problem.status === 401 });
    queue.add(Array.from({ length: 10 }, (_, n) => wanted(`${n}.txt`)));
    await until(() => queue.summary.waiting === 10);
    expect(queue.summary.failed).toBe(0);
    server.refusal = () => {};
    queue.resumeSession();
    await queue.idle();
    expect(server.listing()).toHaveLength(10);
  });
});

describe('cancelling', () => {
  it('one leaves the others', async () => {
    const open = gated();
    const queue = queueOf();
    queue.add(Array.from({ length: 8 }, (_, n) => wanted(`${n}.txt`)));
    await until(() => server.atOnce === CONCURRENCY && queue.rows.length === 8);
    const named = (name: string): Task => queue.rows.find((task) => task.name === name)!;
    queue.cancel(named('0.txt'));
    queue.cancel(named('7.txt'));
    open();
    await queue.idle();
    expect(server.listing()).toEqual(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt', '6.txt']);
    expect(queue.summary).toMatchObject({ files: 6, finished: 6 });
  });

  it('frees the reserved space', async () => {
    const open = gated();
    const queue = queueOf();
    queue.add([wanted('large.bin', large())]);
    await until(() => server.begun === 1 && server.atOnce === 1);
    queue.cancelAll();
    open();
    await queue.idle();
    await until(() => server.begun === 0);
    expect(server.count('cancel large.bin')).toBe(1);
    expect(server.listing()).toEqual([]);
  });

  it('frees the space of an upload that is just starting', async () => {
    const queue = queueOf();
    server.refusal = (call) => void (call.startsWith('initiate') && queue.cancelAll());
    queue.add([wanted('large.bin', large())]);
    await queue.idle();
    await until(() => server.begun === 0);
    expect(server.calls.filter((call) => /^(initiate|cancel|chunk)/.test(call))).toEqual([
      'initiate large.bin',
      'cancel large.bin',
    ]);
  });

  it('all keeps finished files', async () => {
    const open = gated();
    const queue = queueOf();
    queue.add(Array.from({ length: 100 }, (_, n) => wanted(`${n}.txt`)));
    await until(() => server.atOnce === CONCURRENCY);
    queue.cancelAll();
    open();
    await queue.idle();
    expect(server.listing()).toEqual([]);
    expect(queue.summary.files).toBe(0);
    expect(queue.isBusy).toBe(false);
  });
});

describe('a reload', () => {
  const back = (name: string, file: File | null): Task => {
    const { size } = wanted(name).file!;
    return new Task(`old:${name}`, { ...wanted(name), size, file });
  };

  it('resumes stored uploads, and lists those that could not be stored', async () => {
    const queue = queueOf();
    queue.restore([back('kept.txt', wanted('kept.txt').file), back('lost.txt', null)]);
    await queue.idle();
    expect(server.listing()).toEqual(['kept.txt']);
    expect(queue.rows.find((task) => task.name === 'lost.txt')?.problem?.key).toBe('upload.problem.lost');
  });

  it('counts an upload that finished just before as uploaded', async () => {
    server.has('kept.txt', 'kept.txt');
    const queue = queueOf();
    queue.restore([back('kept.txt', wanted('kept.txt').file)]);
    await queue.idle();
    expect(server.count('sendWhole')).toBe(0);
    expect(queue.summary).toMatchObject({ finished: 1, skipped: 0 });
  });

  it('resumes a lost file when it is added again', async () => {
    const queue = queueOf();
    queue.restore([back('lost.txt', null)]);
    queue.add([wanted('lost.txt')]);
    await queue.idle();
    expect(server.listing()).toEqual(['lost.txt']);
    expect(queue.summary).toMatchObject({ files: 1, finished: 1, failed: 0 });
  });
});

it('is busy only while closing the page would interrupt something', async () => {
  const open = gated();
  const queue = queueOf();
  expect(queue.isBusy).toBe(false);
  queue.add([wanted('a.txt')]);
  expect(queue.isBusy).toBe(true);
  open();
  await queue.idle();
  expect(queue.isBusy).toBe(false);
});

it('reports the end of a run once', async () => {
  const over = vi.fn();
  const queue = queueOf({ onIdle: over });
  queue.add([wanted('a.txt'), wanted('b.txt')]);
  await queue.idle();
  queue.clear();
  expect(over).toHaveBeenCalledTimes(1);
  expect(queue.rows).toEqual([]);
});
