// Server-sent events, from the bytes of a stream to what they say.

export interface ServerEvent {
  id: string | null;
  name: string;
  data: string;
}

/** Takes the stream in pieces of any length and gives the events that are complete. */
export class EventParser {
  #rest = '';

  take(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? '';
    return blocks.map(eventOf).filter((event) => event !== null);
  }
}

function eventOf(block: string): ServerEvent | null {
  const event: ServerEvent = { id: null, name: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') event.id = value ?? '';
    else if (field === 'event') event.name = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  }
  event.data = data.join('\n');
  return data.length ? event : null;
}
