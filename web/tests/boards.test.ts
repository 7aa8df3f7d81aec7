import { beforeEach, describe, expect, it, vi } from 'vitest';
import { boardItemOf, isOwn } from '../src/boards/board_item';
import { tokenIn } from '../src/boards/invitation_link';
import { indexAfter, type Comment } from '../src/boards/comments.svelte';
import { folderName, uploadTarget } from '../src/boards/upload_folder';
import { fingerprintOf } from '../src/boards/open_board.svelte';
import { canAdd, roleOf } from '../src/boards/roles';
import { pollWhileVisible } from '../src/boards/polling';
import { forBoard } from '../src/upload/board_target';
import { uploadFile } from '../src/upload/upload_file';
import { Task } from '../src/upload/task.svelte';
import { ROOT, TestServer, emptyFolder, wanted } from './upload_server';

describe('a file on a board', () => {
  const strangers = {
    objectKey: 'A',
    objectName: 'sea.jpg',
    displayName: 'sea.jpg',
    objectType: 'FL',
    mimeType: 'image',
    mimeSubType: 'jpeg',
    sizeInBytes: 3,
    fileCreatedDate: 1,
    lastModifiedDate: 77,
    status: 'A',
  };

  it('of another member has a thumbnail URL that changes with its content', () => {
    const item = boardItemOf(strangers);
    expect(isOwn(item)).toBe(false);
    expect(item).toMatchObject({ kind: 'image', isFavourite: false, version: 77, source: '' });
  });

  it('is the user’s own if it has a folder', () => {
    expect(isOwn(boardItemOf({ ...strangers, parentObjectKey: 'F', version: 2 }))).toBe(true);
  });
});

describe('board roles', () => {
  it.each([
    ['O', 'O', true],
    ['M', 'M', true],
    ['V', 'V', false],
    [undefined, 'V', false],
    ['?', 'V', false],
  ])('as %j is %s and may add: %s', (memberType, role, adds) => {
    expect(roleOf(memberType)).toBe(role);
    expect(canAdd(roleOf(memberType))).toBe(adds);
  });
});

describe('a link to join', () => {
  it.each([
    ['#invitation=aB-_9=', 'aB-_9='],
    ['#invitation=', null],
    ['#content', null],
    ['#invitation=a b', null],
    ['#invitation=%zz', null],
    ['', null],
  ])('%j has the token %j', (hash, token) => {
    expect(tokenIn(hash)).toBe(token);
  });
});

describe('comments', () => {
  const said = (commentKey: string, createdDate: number): Comment =>
    ({ commentKey, createdDate, userId: 'U', firstName: 'Ada', text: '…' }) as Comment;

  it('older than the refreshed page are kept', () => {
    const all = [said('d', 4), said('c', 3), said('b', 2), said('a', 1)];
    expect(indexAfter(all, said('c', 3))).toBe(2);
    expect(indexAfter(all, said('new', 3))).toBe(2);
    expect(indexAfter(all, said('older', 0))).toBe(4);
  });
});

describe('an upload to a board', () => {
  const board = uploadTarget({ boardKey: 'B', boardName: 'Sea / 2026' });

  it('goes to the board’s folder with its own path, without empty folders', () => {
    const taken = forBoard(board, [wanted('a.txt', 'a', 'Trip'), emptyFolder('nothing')]);
    expect(taken.map(({ path, name, boardKey }) => ({ path, name, boardKey }))).toEqual([
      { path: ['Boards', 'Sea _ 2026', 'Trip'], name: 'a.txt', boardKey: 'B' },
    ]);
  });

  it.each([
    ['a:b\\c', 'a_b_c'],
    ['..', '__'],
    ['end. ', 'end__'],
    ['', '_'],
    ['ü'.repeat(200), 'ü'.repeat(127)],
  ])('%j has the folder %j', (name, folder) => {
    expect(folderName(name)).toBe(folder);
  });

  it('names the board to the server even if the content already exists', async () => {
    const server = new TestServer();
    const boardKeys: (string | null | undefined)[] = [];
    for (const call of ['sendWhole', 'initiate'] as const) {
      const real = server[call].bind(server) as (...args: unknown[]) => Promise<never>;
      server[call] = ((...args: [{ boardKey?: string | null }]) => {
        boardKeys.push(args[0].boardKey);
        return real(...args);
      }) as never;
    }
    const [one] = forBoard({ boardKey: 'B', path: [] }, [wanted('a.txt', 'a')]);
    const { signal } = new AbortController();
    const first = await uploadFile(new Task('1', one!), server.context(), signal);
    const again = await uploadFile(new Task('2', one!), server.context(), signal);
    expect([first.is, again.is]).toEqual(['done', 'done']);
    expect(boardKeys).toEqual(['B', 'B']);
    expect(server.listing(ROOT)).toEqual(['a.txt']);
  });
});

describe('an open board', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('has a fingerprint that changes with every field', () => {
    const board = { boardKey: 'B', filesCount: 1, commentsCount: 0 } as never as Parameters<typeof fingerprintOf>[0];
    expect(fingerprintOf({ ...board })).toBe(fingerprintOf(board));
    expect(fingerprintOf({ ...board, commentsCount: 1 })).not.toBe(fingerprintOf(board));
  });

  it('is polled with one request at a time until it is closed', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    vi.stubGlobal('document', page);
    let answerIt = (): void => {};
    const look = vi.fn(() => new Promise<void>((resolve) => (answerIt = resolve)));
    const stop = pollWhileVisible(look, 1000);
    await vi.advanceTimersByTimeAsync(1000);
    page.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(look).toHaveBeenCalledTimes(1);
    answerIt();
    await vi.advanceTimersByTimeAsync(1000);
    expect(look).toHaveBeenCalledTimes(2);
    answerIt();
    page.visibilityState = 'hidden';
    await vi.advanceTimersByTimeAsync(5000);
    expect(look, 'nobody looks').toHaveBeenCalledTimes(2);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    expect(look).toHaveBeenCalledTimes(3);
    stop();
    answerIt();
    await vi.advanceTimersByTimeAsync(5000);
    expect(look).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});
