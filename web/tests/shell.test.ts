import { describe, expect, it } from 'vitest';
import { actionOf, pictureOf } from '../src/files/banner_links';
import { filesOf } from '../src/shared_in/received';
import { outdated, wayOf } from '../src/sw/shell';

const ORIGIN = 'https://drive.example';

function way(path: string, { method = 'GET', mode = 'cors' as RequestMode } = {}): ReturnType<typeof wayOf> {
  return wayOf(method, mode, new URL(path, ORIGIN), ORIGIN);
}

describe('what the service worker meets', () => {
  it('opens the pages of the drive, and nothing that others open', () => {
    expect(way('/drive/photos', { mode: 'navigate' })).toBe('page');
    expect(way('/', { mode: 'navigate' })).toBe('page');
    for (const path of ['/l/?u=abc', '/docs', '/download/file?x=1', '/driveway']) {
      expect(way(path, { mode: 'navigate' })).toBeNull();
    }
  });

  it('keeps files of the build, and neither calls nor content', () => {
    expect(way('/assets/index-abc.js')).toBe('shell');
    expect(way('/icons/icon.svg')).toBe('shell');
    for (const path of [
      '/x/v1/session',
      '/app/thumbnail',
      '/manifest.webmanifest',
      'https://else.example/assets/a.js',
    ]) {
      expect(way(path)).toBeNull();
    }
    expect(way('/assets/a.js', { method: 'HEAD' })).toBeNull();
  });

  it('takes what is shared only at its own address', () => {
    expect(way('/drive/share-target', { method: 'POST', mode: 'navigate' })).toBe('share');
    expect(way('/drive/files', { method: 'POST', mode: 'navigate' })).toBeNull();
  });

  it('lets go of builds that no page can be of any more, and of no other cache', () => {
    const names = ['skyshelf-shell-1', 'other', 'skyshelf-shell-2', 'skyshelf-shell-3', 'skyshelf-shell-4'];
    expect(outdated(names, '4')).toEqual(['skyshelf-shell-1']);
    expect(outdated(names.slice(0, 3), '2')).toEqual([]);
  });
});

describe('what another application shares', () => {
  it('is its files', () => {
    const form = new FormData();
    form.append('title', 'A picture');
    form.append('files', new File(['x'], 'a.jpg'));
    form.append('files', new File(['y'], 'b.jpg'));
    expect(filesOf(form).map((file) => file.name)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('becomes a text where it is words or a link', async () => {
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
  it('leads to the web, and to no script', () => {
    expect(actionOf('https://news.example/a')).toBe('https://news.example/a');
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '/drive', '', null]) {
      expect(actionOf(address)).toBeNull();
    }
  });

  it('shows pictures of this server alone', () => {
    expect(pictureOf('/icons/icon.svg', ORIGIN)).toBe(`${ORIGIN}/icons/icon.svg`);
    expect(pictureOf('https://else.example/count.gif', ORIGIN)).toBeNull();
    expect(pictureOf('data:image/gif;base64,AA', ORIGIN)).toBeNull();
  });
});
