// What the operator of the server has decided: limits of uploads, how long the trash keeps. Asked for once.
import { GET, answer, type Schemas } from '../api/client';

type Settings = Schemas['AppSettings'];

let asked: Promise<Settings> | undefined;

export function serverSettings(): Promise<Settings> {
  asked ??= answer(GET('/app/settings', { params: { query: { os: 'web' } } })).catch((problem: unknown) => {
    asked = undefined;
    throw problem;
  });
  return asked;
}
