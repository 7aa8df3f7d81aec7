// Long presses on touch screens, which have no secondary button. Without lifting the finger, dragging it over further
// cells of the list selects all between.

const LONG_PRESS_MS = 450;
/** A finger that rests still moves a little. */
const STILL_PX = 10;
const EDGE_PX = 56;
const SCROLL_PX = 14;

export class LongPress {
  byTouch = false;
  #wasLong = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onLongPress: () => void;
  #from = { x: 0, y: 0 };
  #over: Element | null = null;

  constructor(onLongPress: () => void) {
    this.#onLongPress = onLongPress;
  }

  #cancel = (): void => clearTimeout(this.#timer);

  #end = (): void => {
    this.#cancel();
    removeEventListener('touchmove', this.#drag);
    removeEventListener('touchend', this.#end);
    removeEventListener('touchcancel', this.#end);
  };

  /** The event handlers of the element. */
  readonly handlers = {
    onpointerdown: (event: PointerEvent): void => {
      this.byTouch = event.pointerType === 'touch';
      this.#wasLong = false;
      if (!this.byTouch) return;
      this.#from = { x: event.clientX, y: event.clientY };
      this.#over = event.currentTarget as Element;
      this.#timer = setTimeout(() => {
        this.#wasLong = true;
        this.#onLongPress();
        navigator.vibrate?.(10);
      }, LONG_PRESS_MS);
      // Not passive: while cells are selected, the list does not scroll.
      addEventListener('touchmove', this.#drag, { passive: false });
      addEventListener('touchend', this.#end);
      addEventListener('touchcancel', this.#end);
    },
    onpointermove: (event: PointerEvent): void => {
      const { x, y } = this.#from;
      if (event.pointerType === 'touch' && Math.hypot(event.clientX - x, event.clientY - y) > STILL_PX) this.#cancel();
    },
    onpointercancel: this.#cancel,
    onpointerup: this.#cancel,
  };

  #drag = (event: TouchEvent): void => {
    if (!this.#wasLong) return;
    event.preventDefault();
    const { clientX, clientY } = event.touches[0]!;
    const cell = document.elementFromPoint(clientX, clientY)?.closest('[role=option]');
    if (!cell) return;
    scrollAtEdges(cell, clientY);
    if (cell === this.#over) return;
    this.#over = cell;
    // Like Shift+click with a mouse: the list selects the range from the long-pressed cell to this one.
    cell.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse', bubbles: true }));
    cell.dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true, cancelable: true }));
  };

  /** Whether a click event is a click rather than the end of a long press. */
  isClick(): boolean {
    this.#cancel();
    return !this.#wasLong;
  }

  /** Open the context menu for a mouse; a long press has already been handled. */
  contextMenu(event: MouseEvent, menu: (x: number, y: number) => void): void {
    event.preventDefault();
    this.#cancel();
    if (!this.byTouch) menu(event.clientX, event.clientY);
  }
}

function scrollAtEdges(cell: Element, y: number): void {
  const list = cell.closest('[role=listbox]');
  if (!list) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE_PX) list.scrollTop -= SCROLL_PX;
  else if (y > bottom - EDGE_PX) list.scrollTop += SCROLL_PX;
}
