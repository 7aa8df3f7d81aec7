// People who share albums with the user, and what they put into them.
import { GET, dataOf, type CloudObject, type Schemas } from '../api/client';
import { completeObject } from '../boards/board_item';
import { readBoards } from '../boards/boards.svelte';
import type { Page } from '../files/paged.svelte';
import type { Filter } from './filter';

export interface Person {
  userId: string;
  name: string;
}

/** How many albums' members are requested in parallel. */
const AT_ONCE = 8;
const PAGE_SIZE = 200;
/** Pages of files that are read until one of them has something. */
const MOST_PAGES = 20;
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const KINDS: Record<string, string> = { photo: 'image', video: 'video', audio: 'audio' };

interface Known extends Person {
  /** The albums that they are in, the most recently changed first. */
  boards: string[];
}

let known: Promise<Map<string, Known>> | undefined;

/** The other members of the user's albums, by name; asked for once per visit. */
export async function people(me: string): Promise<Person[]> {
  const found = [...(await knownPeople()).values()].filter(({ userId }) => userId !== me);
  return found.sort((one, other) => one.name.localeCompare(other.name));
}

function knownPeople(): Promise<Map<string, Known>> {
  known ??= load().catch((problem: unknown) => {
    known = undefined;
    throw problem;
  });
  return known;
}

async function load(): Promise<Map<string, Known>> {
  const shared = (await readBoards()).filter(({ usersCount }) => usersCount > 1).map(({ boardKey }) => boardKey);
  const found = new Map<string, Known>();
  for (let start = 0; start < shared.length; start += AT_ONCE) {
    const some = shared.slice(start, start + AT_ONCE);
    const members = await Promise.all(some.map(membersOf));
    some.forEach((board, index) => {
      for (const { userId, firstName: name } of members[index]!) {
        const person = found.get(userId);
        if (person) person.boards.push(board);
        else found.set(userId, { userId, name, boards: [board] });
      }
    });
  }
  return found;
}

async function membersOf(boardKey: string): Promise<Schemas['BoardMember'][]> {
  const params = { path: { board_key: boardKey } };
  return (await dataOf(GET('/invites/boards/{board_key}/members', { params }))).boardMembers;
}

/** A loader of pages with what the person of the filter has put into albums. */
export function sharedBy(filter: Filter): (cursor: string | null, signal: AbortSignal) => Promise<Page> {
  let boards: string[] | undefined;
  return async (cursor, signal) => {
    boards ??= (await knownPeople()).get(filter.person)?.boards ?? [];
    let [board, page] = (cursor ?? '0 0').split(' ').map(Number) as [number, number];
    for (let read = 0; read < MOST_PAGES && board < boards.length; read++) {
      const { objects, isLast } = await pageOf(boards[board]!, page, filter, signal);
      if (isLast) [board, page] = [board + 1, 0];
      else page += 1;
      if (objects.length) return { objects, next: board < boards.length ? `${board} ${page}` : null };
    }
    return { objects: [], next: board < boards.length ? `${board} ${page}` : null };
  };
}

async function pageOf(
  boardKey: string,
  page: number,
  filter: Filter,
  signal: AbortSignal,
): Promise<{ objects: CloudObject[]; isLast: boolean }> {
  const path = { board_key: boardKey };
  const query = { page, limit: PAGE_SIZE, sort: '-lastModifiedDate' as const };
  const { objects } = await dataOf(GET('/boards/{board_key}', { params: { path, query }, signal }));
  const isLast = objects.length < PAGE_SIZE;
  const wanted = objects.map(completeObject).filter((object) => fits(object, filter));
  if (!wanted.length) return { objects: [], isLast };
  const keys = { objectKeys: wanted.map(({ objectKey }) => objectKey).join(',') };
  const { contributors } = await dataOf(
    GET('/x/v1/boards/{board_key}/contributors', { params: { path, query: keys }, signal }),
  );
  const theirs = new Set(
    contributors
      .filter(({ userId, guestName }) => userId === filter.person && guestName === undefined)
      .map(({ objectKey }) => objectKey),
  );
  return { objects: wanted.filter(({ objectKey }) => theirs.has(objectKey)), isLast };
}

/** The filters that concern the file itself; tags, favourites and folders are the user's own. */
function fits(object: CloudObject, { q, kind, days, mib }: Filter, now = Date.now()): boolean {
  const name = object.objectName.toLocaleLowerCase();
  const isWanted = q
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
  const isMedium = ['image', 'video', 'audio'].includes(object.mimeType);
  return (
    isWanted &&
    (!kind || (kind === 'document' ? !isMedium : object.mimeType === KINDS[kind])) &&
    (!days || object.lastModifiedDate >= now - Number(days) * DAY_MS) &&
    (!mib || object.sizeInBytes >= Number(mib) * MIB)
  );
}
