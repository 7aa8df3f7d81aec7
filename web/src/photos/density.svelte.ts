// How large the rows of the timeline are: chosen by slider, pinch or Ctrl + wheel, and remembered on this device.
import { DENSITIES, USUAL_DENSITY } from './layout';

const KEY = 'skyshelf-photo-density';
/** A wheel turns in small steps on some machines, in large ones on others. */
const WHEEL_STEP = 80;
const PINCH_STEP = 1.3;

function remembered(): number {
  const stored = Number(localStorage.getItem(KEY) ?? USUAL_DENSITY);
  return Number.isInteger(stored) && stored >= 0 && stored < DENSITIES.length ? stored : USUAL_DENSITY;
}

class Density {
  value = $state(remembered());
  #turned = 0;

  set(wanted: number): void {
    this.value = Math.min(DENSITIES.length - 1, Math.max(0, wanted));
    localStorage.setItem(KEY, String(this.value));
  }

  wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#turned += event.deltaMode ? event.deltaY * 30 : event.deltaY;
    if (Math.abs(this.#turned) < WHEEL_STEP) return;
    this.set(this.value - Math.sign(this.#turned));
    this.#turned = 0;
  }

  /** Follows two fingers on an element. */
  pinch = (element: HTMLElement): (() => void) => {
    let start = 0;
    const apart = ({ touches }: TouchEvent): number =>
      Math.hypot(touches[0]!.clientX - touches[1]!.clientX, touches[0]!.clientY - touches[1]!.clientY);
    const began = (event: TouchEvent): void => {
      start = event.touches.length === 2 ? apart(event) : 0;
    };
    const moved = (event: TouchEvent): void => {
      if (event.touches.length !== 2 || !start) return;
      event.preventDefault();
      const grown = apart(event) / start;
      if (grown < PINCH_STEP && grown > 1 / PINCH_STEP) return;
      this.set(this.value + (grown > 1 ? 1 : -1));
      start = apart(event);
    };
    const turned = (event: WheelEvent): void => this.wheel(event);
    element.addEventListener('touchstart', began, { passive: true });
    element.addEventListener('touchmove', moved, { passive: false });
    element.addEventListener('wheel', turned, { passive: false });
    return () => {
      element.removeEventListener('touchstart', began);
      element.removeEventListener('touchmove', moved);
      element.removeEventListener('wheel', turned);
    };
  };
}

export const density = new Density();
