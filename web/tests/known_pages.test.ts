// Pages that the server has sent before: asked for by their ETag, and taken from memory when it says 304.
import { afterEach, expect, test } from 'vitest';
import { forgetPages, nameKnownPage, withPage } from '../src/api/known_pages';

afterEach(forgetPages);

const url = 'http://localhost/nms/metadata?folderKey=A';
const json = { 'Content-Type': 'application/json; charset=UTF-8' };

function page(text: string, etag: string): Response {
  return new Response(text, { headers: { ...json, ETag: etag } });
}

function named(address = url): string | null {
  const request = new Request(address);
  nameKnownPage(request);
  return request.headers.get('If-None-Match');
}

test('a page is asked for by its tag, and read from memory when it is the newest', async () => {
  expect(named()).toBeNull();
  expect(await (await withPage(new Request(url), page('{"a":1}', 'W/"1"'))).json()).toEqual({ a: 1 });
  expect(named()).toBe('W/"1"');
  const again = await withPage(new Request(url), new Response(null, { status: 304 }));
  expect([again.status, await again.json()]).toEqual([200, { a: 1 }]);
});

test('a newer page takes its place', async () => {
  await withPage(new Request(url), page('{"a":1}', 'W/"1"'));
  expect(await (await withPage(new Request(url), page('{"a":2}', 'W/"2"'))).json()).toEqual({ a: 2 });
  expect(named()).toBe('W/"2"');
});

test('other responses pass', async () => {
  const plain = new Response('{}', { headers: json });
  expect(await withPage(new Request(url), plain)).toBe(plain);
  const made = page('{}', '"1"');
  expect(await withPage(new Request(url, { method: 'POST' }), made)).toBe(made);
  expect(named()).toBeNull();
});

test('the oldest pages are forgotten, and all of them when the session ends', async () => {
  for (let number = 0; number < 50; number++) await withPage(new Request(`${url}${number}`), page('{}', `"${number}"`));
  expect(named(`${url}0`)).toBeNull();
  expect(named(`${url}49`)).toBe('"49"');
  forgetPages();
  expect(named(`${url}49`)).toBeNull();
});
