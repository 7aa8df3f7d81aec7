// The kinds of screen that components behave differently on; styles use the same width.
import { MediaQuery } from 'svelte/reactivity';

const narrow = new MediaQuery('max-width: 52rem');

export const screen = {
  /** Narrow, as phones are: menus and details are sheets, and sections are at the bottom. */
  get isPhone(): boolean {
    return narrow.current;
  },
};
