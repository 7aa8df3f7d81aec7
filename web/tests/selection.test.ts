import { describe, expect, it } from 'vitest';
import { Selection } from '../src/files/selection.svelte';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const none = { ctrlKey: false, metaKey: false, shiftKey: false };
const make = (): Selection => new Selection(() => KEYS);

describe('selection', () => {
  it('takes one with a click, and another instead with the next', () => {
    const selection = make();
    selection.click('b', none);
    selection.click('d', none);
    expect([...selection.chosen]).toEqual(['d']);
  });

  it('adds and takes away with ctrl', () => {
    const selection = make();
    for (const key of ['a', 'c', 'a']) selection.click(key, { ...none, ctrlKey: true });
    expect([...selection.chosen]).toEqual(['c']);
  });

  it('reaches from the anchor with shift, in both directions', () => {
    const selection = make();
    selection.click('c', none);
    selection.click('e', { ...none, shiftKey: true });
    expect([...selection.chosen]).toEqual(['c', 'd', 'e']);
    selection.click('a', { ...none, shiftKey: true });
    expect([...selection.chosen]).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [1, 'a'],
    [-1, 'e'],
    [100, 'e'],
    [-100, 'a'],
  ])('steps %i from nowhere to %s', (by, key) => {
    expect(make().step(by, false)).toBe(key);
  });

  it('grows with the keyboard and shift', () => {
    const selection = make();
    selection.step(1, false);
    selection.step(1, true);
    selection.step(1, true);
    selection.step(-1, true);
    expect([...selection.chosen]).toEqual(['a', 'b']);
  });

  it('forgets what is gone', () => {
    let keys = KEYS;
    const selection = new Selection(() => keys);
    selection.all();
    keys = ['b'];
    selection.keep();
    expect([...selection.chosen]).toEqual(['b']);
    expect(selection.cursor).toBeNull();
  });
});
