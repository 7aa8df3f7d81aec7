// What was typed and not saved yet, kept in the browser: it survives a reload, navigating away and an expired session.

const PREFIX = 'skyshelf.draft.';

export interface Draft {
  text: string;
  /** The version of the file that was edited. */
  version: number;
  at: number;
}

function nameOf(userId: string, key: string): string {
  return `${PREFIX}${userId}.${key}`;
}

export function draftOf(userId: string, key: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(userId, key)) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

/** Whether the browser had space for it. */
export function keepDraft(userId: string, key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(nameOf(userId, key), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(userId: string, key: string): void {
  localStorage.removeItem(nameOf(userId, key));
}

function names(userId: string): string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(nameOf(userId, '')));
}

export function countDrafts(userId: string): number {
  return names(userId).length;
}

/** Called at logout. */
export function dropDrafts(userId: string): void {
  for (const name of names(userId)) localStorage.removeItem(name);
}
