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
  #cell: HTMLElement | null = null;
  #over: Element | null = null;
  #list: Element | null = null;
  #finger = { x: 0, y: 0 };
  #frame = 0;

  constructor(onLongPress: () => void) {
    this.#onLongPress = onLongPress;
  }

  #cancel = (): void => clearTimeout(this.#timer);

  #end = (): void => {
    this.#cancel();
    cancelAnimationFrame(this.#frame);
    this.#cell?.removeEventListener('touchmove', this.#drag);
    this.#cell?.removeEventListener('touchend', this.#end);
    this.#cell?.removeEventListener('touchcancel', this.#end);
    this.#cell = null;
  };

  /** The event handlers of the element. */
  readonly handlers = {
    onpointerdown: (event: PointerEvent): void => {
      this.byTouch = event.pointerType === 'touch';
      this.#wasLong = false;
      if (!this.byTouch) return;
      this.#end();
      this.#from = { x: event.clientX, y: event.clientY };
      // The events of a finger stay with the cell where it went down, also once that has left the list. Not passive:
      // while cells are selected, neither the list nor the page follows the finger.
      const cell = event.currentTarget as HTMLElement;
      this.#cell = this.#over = cell;
      this.#timer = setTimeout(() => {
        this.#wasLong = true;
        this.#list = scrollerOf(cell);
        this.#onLongPress();
        navigator.vibrate?.(10);
      }, LONG_PRESS_MS);
      cell.addEventListener('touchmove', this.#drag, { passive: false });
      cell.addEventListener('touchend', this.#end);
      cell.addEventListener('touchcancel', this.#end);
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
    this.#finger = { x: clientX, y: clientY };
    this.#selectUpToFinger();
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(this.#scrollOn);
  };

  /** Scroll as long as the finger rests at an edge of the list. */
  #scrollOn = (): void => {
    if (!this.#list || !scrollAtEdges(this.#list, this.#finger.y)) return;
    this.#selectUpToFinger();
    this.#frame = requestAnimationFrame(this.#scrollOn);
  };

  #selectUpToFinger(): void {
    const { x, y } = this.#finger;
    const cell = document.elementFromPoint(x, y)?.closest('[role=option]');
    if (!cell || cell === this.#over) return;
    this.#over = cell;
    // Like Shift+click with a mouse: the list selects the range from the long-pressed cell to this one.
    cell.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse', bubbles: true }));
    cell.dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true, cancelable: true }));
  }

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

/** Scroll a list if this height is at one of its edges; returns whether it moved. */
function scrollAtEdges(list: Element, y: number): boolean {
  const { top, bottom } = list.getBoundingClientRect();
  const before = list.scrollTop;
  if (y < top + EDGE_PX) list.scrollTop -= SCROLL_PX;
  else if (y > bottom - EDGE_PX) list.scrollTop += SCROLL_PX;
  return list.scrollTop !== before;
}

function scrollerOf(cell: Element): Element | null {
  for (let part = cell.parentElement; part; part = part.parentElement) {
    if (part.scrollHeight > part.clientHeight && /auto|scroll/.test(getComputedStyle(part).overflowY)) return part;
  }
  return null;
}
