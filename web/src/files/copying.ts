// Copying items, folders with everything in them. The server copies one step at a time, so the progress is known and
// a copy of any size can be stopped.
import { GET, POST, dataOf } from '../api/client';
import { failureOf, type Outcome } from './operations';
import { itemOf, type Item } from './item';

const COPIED_AT_ONCE = 500;
const LISTED_AT_ONCE = 500;

interface Step {
  keys: string[];
  target: string;
}

/** The copies of the given items; what is inside folders is counted by `progress`. */
export async function copyItems(
  items: Item[],
  folderKey: string,
  progress: (copied: number) => void,
  signal?: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const steps: Step[] = [{ keys: items.map((item) => item.key), target: folderKey }];
  let copied = 0;
  for (let step = steps.shift(); step; step = steps.shift()) {
    signal?.throwIfAborted();
    const isTop = step.target === folderKey;
    for (let start = 0; start < step.keys.length; start += COPIED_AT_ONCE) {
      const body = { objectKeys: step.keys.slice(start, start + COPIED_AT_ONCE), parentObjectKey: step.target };
      const answer = await dataOf(POST('/x/v1/copies', { body, ...(signal ? { signal } : {}) }));
      outcome.failed.push(...answer.unprocessed.map(failureOf));
      copied += answer.objects.length;
      progress(copied);
      for (const { sourceKey, object } of answer.objects) {
        if (isTop) outcome.done.push(itemOf(object));
        if (object.objectType === 'FR') steps.push(...(await contents(sourceKey, object.objectKey, signal)));
      }
    }
  }
  return outcome;
}

/** What is in a folder, to be copied into its copy. */
async function contents(folderKey: string, target: string, signal?: AbortSignal): Promise<Step[]> {
  const steps: Step[] = [];
  for (let page = 0; ; page++) {
    const query = { folderKey, limit: LISTED_AT_ONCE, page, sort: '+objectName' as const };
    const { objects } = await dataOf(GET('/nms/metadata', { params: { query }, ...(signal ? { signal } : {}) }));
    if (objects.length) steps.push({ keys: objects.map((object) => object.objectKey), target });
    if (objects.length < LISTED_AT_ONCE) return steps;
  }
}
