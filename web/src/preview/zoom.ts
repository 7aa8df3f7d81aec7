// How a picture lies in its frame: how large, and how far from the middle. No pixel of the frame stays empty that the
// picture could fill.

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface View {
  /** 1: as large as fits. */
  readonly scale: number;
  /** From the middle of the frame, in pixels. */
  readonly x: number;
  readonly y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const LARGEST = 8;
const TAPPED = 2.5;

/** The size of a picture that fits into the frame, and is not made larger than it is. */
export function fitted(picture: Size, frame: Size): Size {
  if (!picture.width || !picture.height) return frame;
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height, 1);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** The same view, with everything moved back that lies beyond the edge. */
export function held({ scale, x, y }: View, shown: Size, frame: Size): View {
  const within = Math.min(LARGEST, Math.max(1, scale));
  if (within === 1) return WHOLE;
  const beyondX = Math.max(0, (shown.width * within - frame.width) / 2);
  const beyondY = Math.max(0, (shown.height * within - frame.height) / 2);
  return { scale: within, x: clamp(x, beyondX), y: clamp(y, beyondY) };
}

/** Larger or smaller, with the point staying where it is; the point is counted from the middle of the frame. */
export function zoomedAt(view: View, factor: number, point: Point): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/** A double tap: into the picture, and back to the whole of it. */
export function tapped(view: View, point: Point): View {
  return view.scale > 1 ? WHOLE : zoomedAt(view, TAPPED, point);
}

/** Two fingers that were there are here now. */
export function pinched(view: View, before: [Point, Point], now: [Point, Point]): View {
  const factor = distance(...now) / (distance(...before) || 1);
  const from = middle(...before);
  const to = middle(...now);
  const { scale, x, y } = zoomedAt(view, factor, from);
  return { scale, x: x + to.x - from.x, y: y + to.y - from.y };
}

/** What a finger that moved over the whole picture means. */
export function swiped(dx: number, dy: number, ms: number, width: number): 'next' | 'before' | 'close' | null {
  const quick = ms < 300;
  if (Math.abs(dx) > Math.abs(dy)) {
    if (Math.abs(dx) < (quick ? 40 : width / 3)) return null;
    return dx < 0 ? 'next' : 'before';
  }
  return dy > (quick ? 80 : 200) ? 'close' : null;
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
