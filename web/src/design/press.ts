// A finger that stays: what it means on a touch screen, where there is no second button.

const LONG_MS = 450;

export class Press {
  byTouch = false;
  #wasLong = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held: () => void;

  constructor(held: () => void) {
    this.#held = held;
  }

  #over = (): void => clearTimeout(this.#timer);

  /** The attributes of what can be pressed. */
  readonly listening = {
    onpointerdown: (event: PointerEvent): void => {
      this.byTouch = event.pointerType === 'touch';
      this.#wasLong = false;
      if (!this.byTouch) return;
      this.#timer = setTimeout(() => {
        this.#wasLong = true;
        this.#held();
        navigator.vibrate?.(10);
      }, LONG_MS);
    },
    onpointermove: (event: PointerEvent): void => {
      if (event.pointerType === 'touch') this.#over();
    },
    onpointercancel: this.#over,
    onpointerup: this.#over,
  };

  /** Whether a click is one of its own, and not the end of a long press. */
  isClick(): boolean {
    this.#over();
    return !this.#wasLong;
  }

  /** A menu for whoever has a second button; a finger that stays has been understood already. */
  contextMenu(event: MouseEvent, menu: (x: number, y: number) => void): void {
    event.preventDefault();
    this.#over();
    if (!this.byTouch) menu(event.clientX, event.clientY);
  }
}
