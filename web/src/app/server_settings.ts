// The server's settings, such as upload limits and the trash retention. Loaded once.
import { GET, dataOf, type Schemas } from '../api/client';

type Settings = Schemas['AppSettings'];

let settings: Promise<Settings> | undefined;

export function serverSettings(): Promise<Settings> {
  settings ??= dataOf(GET('/app/settings', { params: { query: { os: 'web' } } })).catch((problem: unknown) => {
    settings = undefined;
    throw problem;
  });
  return settings;
}
