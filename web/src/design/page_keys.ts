// Keys for the list of a page work wherever on the page the focus is, as in file managers.

const SELECTING = new Set(['Escape', 'Delete', 'F2', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);
const OWN_KEYS = 'input, textarea, select, [contenteditable], video, audio, [role=listbox], [role=listbox] *, aside *';

/** Whether a key that was pressed outside the page's list is meant for it. */
export function isForTheList(event: KeyboardEvent): boolean {
  const target = event.target as Element;
  if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open], [role=menu]')) return false;
  const isNowhere = target === document.body || target.id === 'content';
  if (!isNowhere && (!target.closest('#content') || target.matches(OWN_KEYS))) return false;
  if (event.ctrlKey || event.metaKey) return 'acvxz'.includes(event.key);
  return SELECTING.has(event.key) || (isNowhere && event.key === 'Enter');
}
