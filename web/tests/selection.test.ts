import { describe, expect, it } from 'vitest';
import { Selection } from '../src/files/selection.svelte';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const none = { ctrlKey: false, metaKey: false, shiftKey: false };
const make = (): Selection => new Selection(() => KEYS);

describe('selection', () => {
  it('is replaced by a click', () => {
    const selection = make();
    selection.click('b', none);
    selection.click('d', none);
    expect([...selection.selected]).toEqual(['d']);
  });

  it('is toggled with Ctrl', () => {
    const selection = make();
    for (const key of ['a', 'c', 'a']) selection.click(key, { ...none, ctrlKey: true });
    expect([...selection.selected]).toEqual(['c']);
  });

  it('extends from the anchor with Shift, in both directions', () => {
    const selection = make();
    selection.click('c', none);
    selection.click('e', { ...none, shiftKey: true });
    expect([...selection.selected]).toEqual(['c', 'd', 'e']);
    selection.click('a', { ...none, shiftKey: true });
    expect([...selection.selected]).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [1, 'a'],
    [-1, 'e'],
    [100, 'e'],
    [-100, 'a'],
  ])('steps %i from nowhere to %s', (by, key) => {
    expect(make().step(by, false)).toBe(key);
  });

  it('extends with the keyboard and Shift', () => {
    const selection = make();
    selection.step(1, false);
    selection.step(1, true);
    selection.step(1, true);
    selection.step(-1, true);
    expect([...selection.selected]).toEqual(['a', 'b']);
  });

  it('drops keys that are no longer in the list', () => {
    let keys = KEYS;
    const selection = new Selection(() => keys);
    selection.all();
    keys = ['b'];
    selection.prune();
    expect([...selection.selected]).toEqual(['b']);
    expect(selection.cursor).toBeNull();
  });
});
