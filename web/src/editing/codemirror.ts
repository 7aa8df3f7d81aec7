// Editors of CodeMirror. They live in a shadow root, where their styles are adopted: the content security policy allows
// no style elements.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { t } from '../words';

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--type-mono)', fontSize: '0.875rem', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: '1rem' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--shade)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--chosen)',
  },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--soft)' },
  // The typeface lacks the default marker's character.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'color-mix(in srgb, var(--good) 12%, transparent)' },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine': {
    backgroundColor: 'color-mix(in srgb, var(--wrong) 12%, transparent)',
  },
});
const COLOURS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', color: 'var(--accent)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.monospace, tags.string], color: 'var(--good)' },
  { tag: [tags.quote, tags.comment, tags.meta], color: 'var(--soft)' },
]);

function shadowOf(host: HTMLElement): ShadowRoot {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  shadow.replaceChildren();
  return shadow;
}

function common(label: string, isMarkdown: boolean): Extension[] {
  return [
    LOOK,
    lineNumbers(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    syntaxHighlighting(COLOURS),
    ...(isMarkdown ? [markdown()] : []),
  ];
}

export interface TextEditor {
  text(): string;
  replace(text: string): void;
  focus(): void;
  destroy(): void;
}

interface EditorOptions {
  text: string;
  label: string;
  isMarkdown: boolean;
  /** Windows ends lines with two characters; a file keeps what it has. */
  lineBreak: '\n' | '\r\n';
  onChange: () => void;
  onSave: () => void;
}

export function textEditor(host: HTMLElement, options: EditorOptions): TextEditor {
  const root = shadowOf(host);
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...common(options.label, options.isMarkdown),
        EditorState.lineSeparator.of(options.lineBreak),
        history(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        // Escape, then Tab leaves the editor.
        keymap.of([
          { key: 'Mod-s', run: () => (options.onSave(), true), preventDefault: true },
          ...defaultKeymap,
          ...historyKeymap,
          ...searchKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => update.docChanged && options.onChange()),
      ],
    }),
  });
  return {
    text: () => view.state.sliceDoc(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Two texts side by side, or as one with what was removed and added. Returns how to remove it. */
export function comparison(
  host: HTMLElement,
  { before, after, isMarkdown, isWide }: { before: string; after: string; isMarkdown: boolean; isWide: boolean },
): () => void {
  const root = shadowOf(host);
  const still = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
  const focusable = EditorView.contentAttributes.of({ tabindex: '0' });
  const collapsed = { margin: 3, minSize: 6 };
  if (!isWide) {
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: after,
        extensions: [
          ...common(t('compare.after'), isMarkdown),
          ...still,
          focusable,
          unifiedMergeView({ original: before, mergeControls: false, gutter: true, collapseUnchanged: collapsed }),
        ],
      }),
    });
    return () => view.destroy();
  }
  const merged = new MergeView({
    parent: root,
    root,
    a: { doc: before, extensions: [...common(t('compare.before'), isMarkdown), ...still, focusable] },
    b: { doc: after, extensions: [...common(t('compare.after'), isMarkdown), ...still, focusable] },
    collapseUnchanged: collapsed,
    gutter: true,
  });
  return () => merged.destroy();
}
