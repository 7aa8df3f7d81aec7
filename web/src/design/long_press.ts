// Long presses on touch screens, which have no secondary button.

const LONG_PRESS_MS = 450;

export class LongPress {
  byTouch = false;
  #wasLong = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onLongPress: () => void;

  constructor(onLongPress: () => void) {
    this.#onLongPress = onLongPress;
  }

  #cancel = (): void => clearTimeout(this.#timer);

  /** The event handlers of the element. */
  readonly handlers = {
    onpointerdown: (event: PointerEvent): void => {
      this.byTouch = event.pointerType === 'touch';
      this.#wasLong = false;
      if (!this.byTouch) return;
      this.#timer = setTimeout(() => {
        this.#wasLong = true;
        this.#onLongPress();
        navigator.vibrate?.(10);
      }, LONG_PRESS_MS);
    },
    onpointermove: (event: PointerEvent): void => {
      if (event.pointerType === 'touch') this.#cancel();
    },
    onpointercancel: this.#cancel,
    onpointerup: this.#cancel,
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
