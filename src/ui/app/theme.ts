import { createStore, type Store } from '../api/index.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'fairway.theme';

/** What the person chose; `system` follows the machine. */
export const theme: Store<Theme> = createStore<Theme>(read());
theme.subscribe(apply);
apply();

export function nextTheme(current: Theme): Theme {
  return current === 'system' ? 'light' : current === 'light' ? 'dark' : 'system';
}

function read(): Theme {
  const kept = readKept();
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

function readKept(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    // Browsers can forbid pages to keep anything.
    return null;
  }
}

function apply(): void {
  const chosen = theme.get();
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  try {
    window.localStorage.setItem(KEY, chosen);
  } catch {
    // Then it holds until the page is closed.
  }
}
