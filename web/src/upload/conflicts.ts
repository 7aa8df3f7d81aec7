// Whether a file can have its name, and what happens where something has it already.
import { freeName } from './names';
import type { Decision, Entry } from './task.svelte';

export type Names = Map<string, Entry>;
export type Claim = { is: 'free'; as: string } | { is: 'unchanged' } | { is: 'question'; there: Entry };

interface Claimant {
  name: string;
  as: string | null;
  size: number;
  hash: string | null;
  decision: Decision | null;
}

/** Nobody is asked about content that is there already. */
export function claim(names: Names, file: Claimant): Claim {
  const wanted = file.as ?? file.name;
  const there = names.get(wanted);
  if (!there) return { is: 'free', as: wanted };
  if (!there.isFolder && there.size === file.size && there.hash === file.hash) return { is: 'unchanged' };
  if (file.decision === 'keep') return { is: 'free', as: freeName(file.name, (name) => names.has(name)) };
  if (file.decision === 'replace' && canReplace(there)) return { is: 'free', as: wanted };
  return { is: 'question', there };
}

/** A folder cannot become the older version of a file. */
export function canReplace(there: Entry): boolean {
  return !there.isFolder;
}
