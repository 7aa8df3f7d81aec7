// Keys that scroll a document, wherever in the viewer the focus is.

const BY_PAGE = 0.9;
const LINE = 60;

/** Scroll the view; returns whether the key was one of these. */
export function scrollByKey(view: HTMLElement, event: KeyboardEvent): boolean {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, textarea, select')) return false;
  const page = view.clientHeight * BY_PAGE;
  const steps: Record<string, number> = {
    PageDown: page,
    PageUp: -page,
    ArrowDown: LINE,
    ArrowUp: -LINE,
    Home: -view.scrollHeight,
    End: view.scrollHeight,
  };
  const by = steps[event.key];
  if (by === undefined) return false;
  view.scrollBy({ top: by });
  event.preventDefault();
  return true;
}
