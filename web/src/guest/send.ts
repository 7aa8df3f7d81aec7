// Files are sent as soon as they are chosen, one by one, each with its progress; what is refused is named, and the rest goes on.
export function sendWithProgress(form: HTMLFormElement): void {
  const files = form.querySelector<HTMLInputElement>('input[type=file]');
  const guest = form.querySelector<HTMLInputElement>('input[name=guest]');
  const button = form.querySelector('button');
  const list = form.querySelector<HTMLElement>('#progress');
  if (!files || !guest || !button || !list) return;
  remember(guest);

  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  form.addEventListener('dragleave', () => form.classList.remove('over'));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    if (!event.dataTransfer?.files.length) return;
    files.files = event.dataTransfer.files;
    sendAtOnce();
  });
  files.addEventListener('change', sendAtOnce);

  /** Who has given a name has nothing more to say; others are asked for it. */
  function sendAtOnce(): void {
    if (files!.files?.length && !button!.disabled) form.requestSubmit();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendAll([...(files.files ?? [])]);
  });

  async function sendAll(chosen: File[]): Promise<void> {
    button!.disabled = true;
    list!.replaceChildren();
    let sent = 0;
    const failed: File[] = [];
    for (const file of chosen) {
      const row = document.createElement('li');
      list!.append(row);
      const problem = await send(file, row);
      if (problem) failed.push(file);
      else sent++;
      row.className = problem ? 'failed' : '';
      row.textContent = said(problem ?? 'sent', file);
    }
    button!.disabled = false;
    if (!failed.length && sent) location.assign(withSent(sent));
    else keep(failed);
  }

  function keep(failed: File[]): void {
    const rest = new DataTransfer();
    for (const file of failed) rest.items.add(file);
    files!.files = rest.files;
  }

  /** The name of the sentence about what went wrong; null if nothing did. */
  async function send(file: File, row: HTMLElement): Promise<string | null> {
    if (file.size > Number(form.dataset.largest)) return 'tooLarge';
    const body = new FormData();
    body.append('guest', guest!.value);
    body.append('file', file, file.name);
    const bar = document.createElement('progress');
    bar.max = 100;
    const label = document.createElement('span');
    row.replaceChildren(label, bar);
    const status = await request(form.action, body, (percent) => {
      bar.value = percent;
      label.textContent = said('progress', file, percent);
    });
    if (status >= 200 && status < 400) return null;
    if (status === 413) return file.size > 0 ? 'full' : 'tooLarge';
    if (status === 429 || status === 503) return 'later';
    return status === 415 || status === 403 || status === 400 ? 'refused' : 'failed';
  }

  function said(sentence: string, file: File, percent = 0): string {
    const text = form.dataset[sentence] ?? '{name}';
    return text.replace('{name}', () => file.name).replace('{percent}', String(percent));
  }
}

function request(url: string, body: FormData, progressed: (percent: number) => void): Promise<number> {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.upload.onprogress = (event) => progressed(Math.floor((100 * event.loaded) / Math.max(event.total, 1)));
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
