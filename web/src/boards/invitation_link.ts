// A link to join a board has its token behind the #, which no browser sends to anybody.

export function tokenIn(hash: string): string | null {
  return /^#invitation=([\w=-]+)$/.exec(hash)?.[1] ?? null;
}
