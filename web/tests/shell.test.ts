import { describe, expect, it } from 'vitest';
import { actionOf, pictureOf } from '../src/files/banner_links';
import { filesOf } from '../src/shared_in/share_target';
import { outdated, handlerOf } from '../src/sw/shell';

const ORIGIN = 'https://drive.example';

function handler(path: string, { method = 'GET', mode = 'cors' as RequestMode } = {}): ReturnType<typeof handlerOf> {
  return handlerOf(method, mode, new URL(path, ORIGIN), ORIGIN);
}

describe('the service worker', () => {
  it('handles the pages of the client and no others', () => {
    expect(handler('/drive/photos', { mode: 'navigate' })).toBe('page');
    expect(handler('/', { mode: 'navigate' })).toBe('page');
    for (const path of ['/l/?u=abc', '/docs', '/download/file?x=1', '/driveway']) {
      expect(handler(path, { mode: 'navigate' })).toBeNull();
    }
  });

  it('caches build files, but no API responses or content', () => {
    expect(handler('/assets/index-abc.js')).toBe('shell');
    expect(handler('/icons/icon.svg')).toBe('shell');
    for (const path of [
      '/x/v1/session',
      '/app/thumbnail',
      '/manifest.webmanifest',
      'https://else.example/assets/a.js',
    ]) {
      expect(handler(path)).toBeNull();
    }
    expect(handler('/assets/a.js', { method: 'HEAD' })).toBeNull();
  });

  it('receives shares only at their own URL', () => {
    expect(handler('/drive/share-target', { method: 'POST', mode: 'navigate' })).toBe('share');
    expect(handler('/drive/files', { method: 'POST', mode: 'navigate' })).toBeNull();
  });

  it('knows its place on a host that it shares', () => {
    const below = (path: string, mode: RequestMode = 'cors', method = 'GET'): ReturnType<typeof handlerOf> =>
      handlerOf(method, mode, new URL(path, ORIGIN), ORIGIN, '/sky');
    for (const path of ['/sky', '/sky/', '/sky/drive/files']) expect(below(path, 'navigate')).toBe('page');
    expect(below('/sky/assets/a.js')).toBe('shell');
    expect(below('/sky/drive/share-target', 'navigate', 'POST')).toBe('share');
    for (const path of ['/', '/drive/files', '/skyline/']) expect(below(path, 'navigate')).toBeNull();
    expect(below('/assets/a.js')).toBeNull();
  });

  it('deletes only the caches of outdated builds', () => {
    const names = ['skyshelf-shell-1', 'other', 'skyshelf-shell-2', 'skyshelf-shell-3', 'skyshelf-shell-4'];
    expect(outdated(names, '4')).toEqual(['skyshelf-shell-1']);
    expect(outdated(names.slice(0, 3), '2')).toEqual([]);
  });
});

describe('content shared by another app', () => {
  it('keeps its files', () => {
    const form = new FormData();
    form.append('title', 'A picture');
    form.append('files', new File(['x'], 'a.jpg'));
    form.append('files', new File(['y'], 'b.jpg'));
    expect(filesOf(form).map((file) => file.name)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('becomes a text file if it is text or a link', async () => {
    const form = new FormData();
    form.append('title', 'Lake / map');
    form.append('text', 'Look at this');
    form.append('url', 'https://lake.example/');
    const [file] = filesOf(form);
    expect(file?.name).toBe('Lake map.txt');
    expect(await file?.text()).toBe('Look at this\nhttps://lake.example/\n');
  });
});

describe('a banner', () => {
  it('links to web pages only', () => {
    expect(actionOf('https://news.example/a')).toBe('https://news.example/a');
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '/drive', '', null]) {
      expect(actionOf(address)).toBeNull();
    }
  });

  it('shows only pictures from this server', () => {
    expect(pictureOf('/icons/icon.svg', ORIGIN)).toBe(`${ORIGIN}/icons/icon.svg`);
    expect(pictureOf('https://else.example/count.gif', ORIGIN)).toBeNull();
    expect(pictureOf('data:image/gif;base64,AA', ORIGIN)).toBeNull();
  });
});
