import { beforeEach, describe, expect, it, vi } from 'vitest';
import { boardItemOf, isOwn } from '../src/boards/board_item';
import { tokenIn } from '../src/boards/invitation_link';
import { placeAfter, type Comment } from '../src/boards/comments.svelte';
import { folderName, landingOf } from '../src/boards/landing';
import { signOf } from '../src/boards/open_board.svelte';
import { mayAdd, roleOf } from '../src/boards/roles';
import { whileSeen } from '../src/boards/watching';
import { onto } from '../src/upload/onto_board';
import { uploadOne } from '../src/upload/one_upload';
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

  it('of somebody else is known by what the board tells, and its picture changes with its content', () => {
    const item = boardItemOf(strangers);
    expect(isOwn(item)).toBe(false);
    expect(item).toMatchObject({ kind: 'image', isFavourite: false, version: 77, source: '' });
  });

  it('is known as own by its folder', () => {
    expect(isOwn(boardItemOf({ ...strangers, parentObjectKey: 'F', version: 2 }))).toBe(true);
  });
});

describe('who is on a board', () => {
  it.each([
    ['O', 'O', true],
    ['M', 'M', true],
    ['V', 'V', false],
    [undefined, 'V', false],
    ['?', 'V', false],
  ])('as %j is %s and may add: %s', (memberType, role, adds) => {
    expect(roleOf(memberType)).toBe(role);
    expect(mayAdd(roleOf(memberType))).toBe(adds);
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

  it('that are older than a page stay behind it', () => {
    const all = [said('d', 4), said('c', 3), said('b', 2), said('a', 1)];
    expect(placeAfter(all, said('c', 3))).toBe(2);
    expect(placeAfter(all, said('new', 3))).toBe(2);
    expect(placeAfter(all, said('older', 0))).toBe(4);
  });
});

describe('an upload onto a board', () => {
  const board = landingOf({ boardKey: 'B', boardName: 'Sea / 2026' });

  it('goes into the folder of the board, with its own folders, and without empty ones', () => {
    const taken = onto(board, [wanted('a.txt', 'a', 'Trip'), emptyFolder('nothing')]);
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

  it('tells the server of the board, also where the same content lies there already', async () => {
    const server = new TestServer();
    const told: (string | null | undefined)[] = [];
    for (const call of ['whole', 'initiate'] as const) {
      const real = server[call].bind(server) as (...given: unknown[]) => Promise<never>;
      server[call] = ((...given: [{ boardKey?: string | null }]) => {
        told.push(given[0].boardKey);
        return real(...given);
      }) as never;
    }
    const [one] = onto({ boardKey: 'B', path: [] }, [wanted('a.txt', 'a')]);
    const { signal } = new AbortController();
    const first = await uploadOne(new Task('1', one!), server.tools(), signal);
    const again = await uploadOne(new Task('2', one!), server.tools(), signal);
    expect([first.is, again.is]).toEqual(['done', 'done']);
    expect(told).toEqual(['B', 'B']);
    expect(server.listing(ROOT)).toEqual(['a.txt']);
  });
});

describe('a board that is looked at', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('is another one when anything about it is', () => {
    const board = { boardKey: 'B', filesCount: 1, commentsCount: 0 } as never as Parameters<typeof signOf>[0];
    expect(signOf({ ...board })).toBe(signOf(board));
    expect(signOf({ ...board, commentsCount: 1 })).not.toBe(signOf(board));
  });

  it('is asked for again and again, one question at a time, until it is closed', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    vi.stubGlobal('document', page);
    let answerIt = (): void => {};
    const look = vi.fn(() => new Promise<void>((resolve) => (answerIt = resolve)));
    const stop = whileSeen(look, 1000);
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
