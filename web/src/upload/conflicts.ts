// Whether a file can have its name, and what happens if the name exists.
import { freeName } from './names';
import type { Decision, Entry } from './task.svelte';

export type Names = Map<string, Entry>;
export type Claim = { is: 'free'; as: string } | { is: 'unchanged' } | { is: 'conflict'; existing: Entry };

interface Claimant {
  name: string;
  as: string | null;
  size: number;
  hash: string | null;
  decision: Decision | null;
}

/** Identical content is not a conflict. */
export function claim(names: Names, file: Claimant): Claim {
  const wanted = file.as ?? file.name;
  const existing = names.get(wanted);
  if (!existing) return { is: 'free', as: wanted };
  if (!existing.isFolder && existing.size === file.size && existing.hash === file.hash) return { is: 'unchanged' };
  if (file.decision === 'keep') return { is: 'free', as: freeName(file.name, (name) => names.has(name)) };
  if (file.decision === 'replace' && canReplace(existing)) return { is: 'free', as: wanted };
  return { is: 'conflict', existing };
}

/** A folder cannot become an older version of a file. */
export function canReplace(existing: Entry): boolean {
  return !existing.isFolder;
}
