import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type ReactElement } from 'react';
import { session, useStore } from '../api/index.ts';
import { Toasts } from '../design/index.ts';
import { pages } from '../pages/registry.ts';
import { useCurrentPath } from './navigation.tsx';

const SignInAgain = lazy(async () => ({ default: (await import('../pages/sign-in/sign-in-again.tsx')).SignInAgain }));

/** Around every page: messages, the title of the tab, and a quiet sign-in when a session ends. */
export function Shell(): ReactElement {
  const hasEnded = useStore(session) === 'ended';
  const path = useCurrentPath();
  useEffect(() => {
    document.title = `${titleOf(path)} · Fairway`;
  }, [path]);
  return (
    <>
      <Outlet />
      {hasEnded && path !== '/login' && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
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
