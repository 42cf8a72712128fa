import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, type ReactElement } from 'react';
import { queryClient, session, useStore } from '../api/index.ts';
import { Toasts } from '../design/index.ts';
import { pages } from '../pages/registry.ts';
import { useCurrentPath } from './navigation.tsx';

/** Around every page: messages, the title of the tab, and the way to the sign-in page when a session ends. */
export function Shell(): ReactElement {
  const state = useStore(session);
  const router = useRouter();
  const path = useCurrentPath();
  useEffect(() => {
    if (state !== 'ended' || router.state.location.pathname === '/login') return;
    const returnTo = router.state.location.href;
    queryClient.removeQueries();
    void router.navigate({ to: '/login', search: { return_url: returnTo, reason: 'ended' } as never });
  }, [state, router]);
  useEffect(() => {
    document.title = `${titleOf(path)} · Fairway`;
  }, [path]);
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}

/** The name that the path has last, before the title of its page: tabs are told apart by it. */
function titleOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const page = pages.find((each) =>
    matches(
      each.path.split('/').filter((part) => part !== ''),
      parts,
    ),
  );
  const name = page?.path.includes('$') === true ? decodePart(parts.at(-1) ?? '') : undefined;
  return [name, page?.title ?? 'Not found'].filter((part) => part !== undefined).join(' · ');
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, index) => part.startsWith('$') || part === parts[index]);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray percent sign is shown as it is.
    return part;
  }
}
