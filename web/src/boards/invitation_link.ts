// Links to join a board have their token in the fragment, which browsers do not send to servers.

export function tokenIn(hash: string): string | null {
  return /^#invitation=([\w=-]+)$/.exec(hash)?.[1] ?? null;
}
