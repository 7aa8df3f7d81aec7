// Items that are dragged inside the page.
const DRAG_TYPE = 'application/x-skyshelf-keys';

export function setDragged(event: DragEvent, keys: Iterable<string>): void {
  event.dataTransfer?.setData(DRAG_TYPE, JSON.stringify([...keys]));
}

/** Whether items are dragged, rather than files from outside; their keys are readable only once they are dropped. */
export function isItemDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(DRAG_TYPE) ?? false;
}

export function droppedKeys(event: DragEvent): string[] {
  const dragged = event.dataTransfer?.getData(DRAG_TYPE);
  return dragged ? (JSON.parse(dragged) as string[]) : [];
}

/** Whether files from outside the page are dragged. */
export function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}
