// The user's tags.
import { GET, dataOf, type Schemas } from '../api/client';

/** All tags, ordered by name. */
export async function allTags(): Promise<Schemas['ManualTag'][]> {
  const all: Schemas['ManualTag'][] = [];
  let cursor: string | undefined;
  do {
    const query = cursor ? { cursor } : {};
    const page = await dataOf(GET('/x/v1/tags', { params: { query } }));
    all.push(...page.tags);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}
