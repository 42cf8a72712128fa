import { useEffect } from 'react';
import { createStore, useStore } from '../api/index.ts';
import type { IconName } from '../design/index.ts';

/** Something that can be done from the command palette, and by keys where it has some. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** The heading below which it is listed. */
  readonly group: string;
  /** Where it is, in fewer words; shown behind the title. */
  readonly place?: string;
  readonly icon?: IconName;
  /** One key, or two that follow one another: `r`, `g a`. */
  readonly keys?: string;
  readonly run: () => void;
}

const registered = createStore<readonly (readonly Command[])[]>([]);

/** Adds commands for as long as the component lives. Pass a list that stays the same while nothing changes (`useMemo`). */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    registered.set([...registered.get(), commands]);
    return () => registered.set(registered.get().filter((each) => each !== commands));
  }, [commands]);
}

/** All commands there are now. */
export function useAllCommands(): readonly Command[] {
  return useStore(registered).flat();
}

const SEQUENCE_MS_MAX = 1_500;

/** Runs the commands that have keys. Keys typed into a field belong to the field. */
export function useCommandKeys(): void {
  useEffect(() => {
    let first = '';
    let firstAt = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || isBehindDialog()) return;
      const isSequence = first !== '' && event.timeStamp - firstAt < SEQUENCE_MS_MAX;
      const pressed = isSequence ? `${first} ${event.key}` : event.key;
      const all = registered.get().flat();
      const command = all.findLast(({ keys }) => keys === pressed);
      first = command === undefined && all.some(({ keys }) => keys?.startsWith(`${pressed} `)) ? pressed : '';
      firstAt = event.timeStamp;
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function isBehindDialog(): boolean {
  // One that is on its way out is not in front of anything any more.
  return document.querySelector('[role="dialog"]:not([hidden], [inert], [data-leave])') !== null;
}
