// How hard a password is to guess, roughly: enough to nudge somebody towards a longer one.

/** From 0 (too short) to 4. Repeated and neighbouring characters count little, and length counts most. */
export function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password.length < 8) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length;
  let score = 0;
  let previous = NaN;
  for (const letter of password) {
    const code = letter.codePointAt(0)!;
    score += Math.abs(code - previous) <= 1 ? 0.25 : 1;
    previous = code;
  }
  score = Math.min(score, 2 * new Set(password).size) * (0.85 + 0.15 * kinds);
  return score < 10 ? 1 : score < 14 ? 2 : score < 18 ? 3 : 4;
}
