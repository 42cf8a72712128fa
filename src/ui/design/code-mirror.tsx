import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, type ReactElement } from 'react';

export interface CodeViewProps {
  readonly text: string;
  /** Said to those who listen, as `Live manifest`. */
  readonly label: string;
  /** Makes it an editor. */
  readonly onChange?: (text: string) => void;
  readonly isWrapped?: boolean;
}

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  readonly layout?: 'split' | 'unified';
}

const COLLAPSE = { margin: 3, minSize: 6 } as const;

/** Colours come from the page's own names, so both themes are one. */
const look = EditorView.theme({
  '&': { fontSize: '12.5px', backgroundColor: 'var(--surface)', color: 'var(--text)', height: '100%' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--accent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-faint)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
  '.cm-panels': { backgroundColor: 'var(--surface-raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-changedLine': { backgroundColor: 'color-mix(in srgb, var(--warn) 10%, transparent) !important' },
  '.cm-insertedLine, .cm-changedLine.cm-insertedLine': { backgroundColor: 'var(--good-soft) !important' },
  '.cm-deletedChunk, .cm-deletedLine': { backgroundColor: 'var(--bad-soft) !important' },
  '.cm-collapsedLines': { background: 'var(--surface-sunken)', color: 'var(--text-soft)', padding: '3px 10px' },
  // The library's own mark is in few fonts.
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"…"' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--calm)' },
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation], color: 'var(--text-faint)' },
]);

/**
 * Where somebody types over a selection, browsers keep the look of what was there with a style of its own, which our policy refuses with a
 * complaint. So we put in what is typed.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || state.readOnly || state.selection.main.empty)
      return false;
    event.preventDefault();
    view.dispatch(state.update(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true }));
    return true;
  },
});

function extensions(label: string, isEditable: boolean, isWrapped: boolean): Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([...searchKeymap, ...foldKeymap, ...historyKeymap, ...defaultKeymap]),
    yaml(),
    typeOverSelection,
    look,
    syntaxHighlighting(colours),
    // It is reached by keyboard anyway; said outright, those who check that find it, too.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', ...(!isEditable && { 'aria-readonly': 'true' }) }),
    EditorState.readOnly.of(!isEditable),
    ...(isWrapped ? [EditorView.lineWrapping] : []),
  ];
}

/**
 * The editor brings its own style sheet. A page may not add style elements here, but a shadow tree may adopt sheets: so the editor lives
 * in one.
 */
function openShadow(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return root;
}

export function CodeMirrorView({ text, label, onChange, isWrapped = false }: CodeViewProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  const shown = useRef(text);
  useEffect(() => {
    change.current = onChange;
  });
  const isEditable = onChange !== undefined;
  useEffect(() => {
    if (host.current === null) return;
    const root = openShadow(host.current);
    const parent = root.appendChild(document.createElement('div'));
    parent.style.height = '100%';
    const report = EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      shown.current = update.state.doc.toString();
      change.current?.(shown.current);
    });
    const state = EditorState.create({ doc: shown.current, extensions: [...extensions(label, isEditable, isWrapped), report] });
    const made = (view.current = new EditorView({ state, parent, root }));
    return () => made.destroy();
  }, [label, isEditable, isWrapped]);
  useEffect(() => {
    // What somebody typed comes back as the same text; only another text replaces what is shown.
    if (text === shown.current || view.current === undefined) return;
    shown.current = text;
    view.current.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: text } });
  }, [text]);
  return <div className="code-view" ref={host} />;
}

export function CodeMirrorDiff({ before, after, label, layout = 'split' }: DiffViewProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const root = openShadow(host.current);
    const parent = root.appendChild(document.createElement('div'));
    if (layout === 'unified') {
      const merge = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: COLLAPSE });
      const state = EditorState.create({ doc: after, extensions: [...extensions(label, false, true), merge] });
      const view = new EditorView({ state, parent, root });
      return () => view.destroy();
    }
    const view = new MergeView({
      a: { doc: before, extensions: extensions(`${label}: before`, false, true) },
      b: { doc: after, extensions: extensions(`${label}: after`, false, true) },
      parent,
      root,
      collapseUnchanged: COLLAPSE,
      gutter: true,
    });
    return () => view.destroy();
  }, [before, after, label, layout]);
  return <div className="code-view" data-diff ref={host} />;
}
