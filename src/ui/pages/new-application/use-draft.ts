import { useEffect, useMemo } from 'react';
import { isRecord, useStore, useUser } from '../../api/index.ts';
import { readText, useSearchValues } from '../../app/index.ts';
import { emptyDraft, mergeApplication, openDraft, type Draft } from './draft.ts';

const drafts = new Map<string, ReturnType<typeof openDraft>>();

function draftOf(username: string): ReturnType<typeof openDraft> {
  let draft = drafts.get(username);
  if (draft === undefined) drafts.set(username, (draft = openDraft(window.sessionStorage, username)));
  return draft;
}

export interface UsedDraft {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly forget: () => void;
}

/** The draft of who is signed in. An address may bring an application as JSON, as links from elsewhere do: it fills in the form once. */
export function useDraft(): UsedDraft {
  const store = draftOf(useUser()?.username ?? '');
  const draft = useStore(store);
  const [search, changeSearch] = useSearchValues();
  const given = readText(search['app']);
  useEffect(() => {
    if (given === '') return;
    const application = readJson(given);
    if (application !== undefined) store.set(mergeApplication(emptyDraft, application));
    changeSearch({ app: undefined });
  }, [given, store, changeSearch]);
  return useMemo(() => ({ draft, change: (part) => store.set({ ...store.get(), ...part }), forget: () => store.forget() }), [draft, store]);
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A link that somebody cut short: the form begins empty.
    return undefined;
  }
}
