// The pictures of a presentation, and what its slides are laid out with.
import type { Parts } from './unpack';

const TYPES: Record<string, string> = { jpg: 'jpeg', svg: 'svg+xml' };

export class Pictures {
  readonly blobs: Blob[] = [];
  #known = new Map<string, number>();

  constructor(readonly parts: Parts) {}

  /** Its number; undefined for one that is not in the file, or that browsers do not show. */
  numberOf(path: string | undefined): number | undefined {
    const data = path ? this.parts[path] : undefined;
    if (!path || !data) return undefined;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    this.blobs.push(new Blob([data], { type: `image/${TYPES[extension] ?? extension}` }));
    this.#known.set(path, this.blobs.length - 1);
    return this.blobs.length - 1;
  }
}

/** A number that a page can be laid out with. */
export function bounded(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 100_000 ? value : otherwise;
}
