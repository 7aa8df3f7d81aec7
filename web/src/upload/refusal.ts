// What is refused before anything is sent, because it breaks a known rule of the server. Without the words of the page:
// the service worker uploads, too.
import type { WordName } from '../words';

export class Refusal extends Error {
  readonly key: WordName;
  /** The limit in bytes, where there is one. */
  readonly limit: number | null;

  constructor(key: WordName, limit: number | null = null) {
    super(key);
    this.key = key;
    this.limit = limit;
  }
}

export const refuse = {
  name: (): Refusal => new Refusal('upload.problem.name'),
  tooLarge: (limit: number): Refusal => new Refusal('upload.problem.larger-than', limit),
  lost: (): Refusal => new Refusal('upload.problem.lost'),
};
