// Zoom and position of a picture in its frame. The picture covers as much of the frame as it can.

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface View {
  /** 1 fits the frame. */
  readonly scale: number;
  /** Offset from the centre of the frame in pixels. */
  readonly x: number;
  readonly y: number;
}

export const FULL_VIEW: View = { scale: 1, x: 0, y: 0 };
export const MAX_ZOOM = 8;
const DOUBLE_TAP_ZOOM = 2.5;

/** The picture's size within the frame; small pictures are not enlarged. */
export function fit(picture: Size, frame: Size): Size {
  if (!picture.width || !picture.height) return frame;
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height, 1);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** The view limited to the picture's edges and the maximum zoom. */
export function clamped({ scale, x, y }: View, shown: Size, frame: Size): View {
  const within = Math.min(MAX_ZOOM, Math.max(1, scale));
  if (within === 1) return FULL_VIEW;
  const maxX = Math.max(0, (shown.width * within - frame.width) / 2);
  const maxY = Math.max(0, (shown.height * within - frame.height) / 2);
  return { scale: within, x: clamp(x, maxX), y: clamp(y, maxY) };
}

/** Zoom around a point, which is relative to the centre of the frame. */
export function zoomAt(view: View, factor: number, point: Point): View {
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/** A double tap zooms in, or back out. */
export function doubleTap(view: View, point: Point): View {
  return view.scale > 1 ? FULL_VIEW : zoomAt(view, DOUBLE_TAP_ZOOM, point);
}

/** The view after two fingers have moved. */
export function pinch(view: View, before: [Point, Point], now: [Point, Point]): View {
  const factor = distance(...now) / (distance(...before) || 1);
  const from = middle(...before);
  const to = middle(...now);
  const { scale, x, y } = zoomAt(view, factor, from);
  return { scale, x: x + to.x - from.x, y: y + to.y - from.y };
}

/** The gesture of a finger that moved over the picture. */
export function swipeGesture(dx: number, dy: number, ms: number, width: number): 'next' | 'previous' | 'close' | null {
  const quick = ms < 300;
  if (Math.abs(dx) > Math.abs(dy)) {
    if (Math.abs(dx) < (quick ? 40 : width / 3)) return null;
    return dx < 0 ? 'next' : 'previous';
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
