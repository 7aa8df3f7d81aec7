// Reads XML as a stream of events: a sheet with a million cells never becomes a tree.
import { Parser } from 'saxen';

export interface Handlers {
  open?: (name: string, attribute: (name: string) => string) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/**
 * Names come without their prefix, which every program chooses as it likes; an attribute of another namespace is asked
 * for with a colon before its name. Reading ends when `stop` returns true.
 */
export function readXml(data: Uint8Array | undefined, handlers: Handlers, stop: () => boolean = () => false): void {
  if (!data) return;
  const parser = new Parser();
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  parser.on('openTag', (name, attributes, decode) => {
    if (stop()) return parser.stop();
    let all: Record<string, string> | undefined;
    handlers.open?.(local(name), (wanted) => {
      all ??= Object.fromEntries(
        Object.entries(attributes()).map(([key, value]) => [key.slice(Math.max(0, key.indexOf(':'))), decode(value)]),
      );
      return all[wanted] ?? '';
    });
  });
  parser.on('closeTag', (name) => handlers.close?.(local(name)));
  parser.on('text', (text, decode) => handlers.text?.(decode(text)));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('error', (problem) => {
    throw problem;
  });
  parser.parse(new TextDecoder().decode(data));
}
