// Files are sent as soon as they are chosen, one by one, with the progress of each and of all; what is refused says what to
// do, and the rest goes on.

interface Row {
  file: File;
  element: HTMLElement;
  said: HTMLElement;
}

export function sendWithProgress(form: HTMLFormElement): void {
  const files = form.querySelector<HTMLInputElement>('input[type=file]');
  const guest = form.querySelector<HTMLInputElement>('input[name=guest]');
  const button = form.querySelector('button');
  const panel = form.querySelector<HTMLElement>('#sending');
  const list = form.querySelector<HTMLElement>('#progress');
  const total = panel?.querySelector<HTMLElement>('[role=status]');
  const bar = panel?.querySelector('progress');
  if (!files || !guest || !button || !panel || !list || !total || !bar) return;
  form.classList.add('scripted');
  remember(guest);
  let most = Number(form.dataset.most);
  let sent = 0;

  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  form.addEventListener('dragleave', () => form.classList.remove('over'));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    if (!event.dataTransfer?.files.length || button.disabled) return;
    files.files = event.dataTransfer.files;
    sendAtOnce();
  });
  files.addEventListener('change', sendAtOnce);
  // Closing the page now would lose the files being sent.
  addEventListener('beforeunload', (event) => {
    if (button.disabled) event.preventDefault();
  });

  /** Asks for a name, unless the guest has already given one. */
  function sendAtOnce(): void {
    if (files!.files?.length && !button!.disabled) form.requestSubmit();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendAll([...(files.files ?? [])]);
  });

  async function sendAll(chosen: File[]): Promise<void> {
    button!.disabled = files!.disabled = true;
    panel!.hidden = false;
    const rows = chosen.map(rowOf);
    list!.replaceChildren(...rows.map(({ element }) => element));
    const bytes = chosen.reduce((sum, file) => sum + file.size, 0);
    const failed: File[] = [];
    let [done, before] = [0, 0];
    for (const row of rows) {
      tell(done, chosen.length);
      const problem = await send(row, (part) => {
        bar!.value = (100 * (before + part * row.file.size)) / Math.max(bytes, 1);
      });
      before += row.file.size;
      if (problem) failed.push(row.file);
      else [done, most] = [done + 1, most - 1];
      row.element.classList.toggle('failed', problem !== null);
      row.said.textContent = form.dataset[problem ?? 'sent'] ?? '';
    }
    tell(done, chosen.length);
    bar!.value = 100;
    sent += done;
    button!.disabled = files!.disabled = false;
    if (!failed.length && sent) location.assign(withSent(sent));
    else keep(failed);
  }

  function tell(done: number, count: number): void {
    const text = form.dataset.total ?? '';
    total!.textContent = text.replace('{done}', String(done)).replace('{count}', String(count));
  }

  function rowOf(file: File): Row {
    const [element, name, said] = [
      document.createElement('li'),
      document.createElement('span'),
      document.createElement('span'),
    ];
    name.className = 'file';
    name.textContent = name.title = file.name;
    said.className = 'said';
    said.textContent = form.dataset.waiting ?? '';
    element.append(name, said);
    return { file, element, said };
  }

  /** What was not sent stays chosen for the next attempt. */
  function keep(failed: File[]): void {
    const rest = new DataTransfer();
    for (const file of failed) rest.items.add(file);
    files!.files = rest.files;
    const words = button!.querySelector('span');
    if (words && failed.length) words.textContent = form.dataset.again ?? '';
  }

  /** The name of the sentence about what went wrong; null if nothing did. */
  async function send({ file, said }: Row, progressed: (part: number) => void): Promise<string | null> {
    if (file.size > Number(form.dataset.largest)) return 'tooLarge';
    if (most < 1) return 'tooMany';
    const body = new FormData();
    body.append('guest', guest!.value);
    body.append('file', file, file.name);
    const status = await request(form.action, body, (part) => {
      said.textContent = `${Math.floor(100 * part)} %`;
      progressed(part);
    });
    if (status >= 200 && status < 400) return null;
    return PROBLEMS[status] ?? 'failed';
  }
}

const PROBLEMS: Record<number, string> = {
  400: 'refused',
  401: 'locked',
  403: 'tooMany',
  404: 'gone',
  // A file that is too large was not sent at all.
  413: 'full',
  415: 'refused',
  429: 'later',
  503: 'later',
  507: 'full',
};

function request(url: string, body: FormData, progressed: (part: number) => void): Promise<number> {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.upload.onprogress = (event) => progressed(event.loaded / Math.max(event.total, 1));
    sending.onloadend = () => resolve(sending.status);
    progressed(0);
    sending.open('POST', url);
    sending.send(body);
  });
}

function withSent(count: number): string {
  const page = new URL(location.href);
  page.searchParams.set('sent', String(count));
  page.hash = '';
  return page.href;
}

/** A guest who comes back need not type the name again; a browser without storage asks each time. */
function remember(guest: HTMLInputElement): void {
  try {
    guest.value ||= localStorage.getItem('skyshelf-guest') ?? '';
    guest.addEventListener('input', () => localStorage.setItem('skyshelf-guest', guest.value));
  } catch {
    // Storage is blocked.
  }
}
