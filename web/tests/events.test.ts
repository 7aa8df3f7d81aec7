import { describe, expect, it } from 'vitest';
import { EventParser } from '../src/app/events';

const STREAM =
  'retry: 2000\nid: 7\nevent: start\ndata: {}\n\n: still here\n\nid: 8\nevent: changes\ndata: {"a":\ndata: 1}\n\n';

describe('server-sent events', () => {
  it.each([1, 2, 3, 7, 1000])('come whole from pieces of %i characters', (length) => {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < STREAM.length; at += length) events.push(...parser.take(STREAM.slice(at, at + length)));
    expect(events).toEqual([
      { id: '7', name: 'start', data: '{}' },
      { id: '8', name: 'changes', data: '{"a":\n1}' },
    ]);
  });

  it('wait for their end', () => {
    expect(new EventParser().take('id: 1\ndata: half')).toEqual([]);
  });
});
