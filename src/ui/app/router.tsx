import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, type ErrorComponentProps } from '@tanstack/react-router';
import { api, beginSession, CallError, isUnauthenticated, queryClient, session, userInfoQuery } from '../api/index.ts';
import { EmptyState, ErrorState, Loading } from '../design/index.ts';
import { pages } from '../pages/registry.ts';
import { Frame } from './frame.tsx';
import { isMissingPart } from './missing-part.ts';
import { AppLink, parseSearch, stringifySearch } from './navigation.tsx';
import type { Page } from './page.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });

/** Everything but the sign-in page, inside the frame with the side bar. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Frame, beforeLoad: requireSession });

const front = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => void redirect({ to: '/applications', throw: true }),
});

const nowhere = createRoute({ getParentRoute: () => framed as unknown as typeof root, path: '$', component: NotFound });

function createPage(parent: typeof root | typeof framed, { path, load }: Page) {
  return createRoute({ getParentRoute: () => parent as typeof root, path, component: lazyRouteComponent(load, 'Page') });
}

export const router = createRouter({
  routeTree: root.addChildren([
    front,
    ...pages.filter(({ isOpen }) => isOpen).map((page) => createPage(root, page)),
    framed.addChildren([...pages.filter(({ isOpen }) => !isOpen).map((page) => createPage(framed, page)), nowhere]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

/** Sends those who are not known to the sign-in page, with the way back. Where strangers may look around, they may. */
async function requireSession({ location }: { readonly location: { readonly href: string } }): Promise<void> {
  // The page stays, with a sign-in in front of it.
  if (session.get() === 'ended') return;
  try {
    const { loggedIn, username = '' } = await queryClient.ensureQueryData(userInfoQuery);
    if (loggedIn === true) return beginSession(username);
    await api.AccountService.CanI({ resource: 'applications', action: 'get', subresource: '*' });
  } catch (error) {
    if (isUnauthenticated(error)) redirect({ to: '/login', search: { return_url: location.href } as never, throw: true });
    // The server is away: the page says so itself, and goes on when it is back.
    if (!(error instanceof CallError)) throw error;
  }
}

const missingPart = new Error('The server was away for a moment, or runs another version now. Trying again loads the whole page.');

function PageFailure({ error, reset }: ErrorComponentProps) {
  if (!isMissingPart(error)) return <ErrorState error={error} what="This page could not be shown" onRetry={reset} />;
  return <ErrorState error={missingPart} what="A part of this page could not be loaded" onRetry={() => window.location.reload()} />;
}

function NotFound() {
  return (
    <EmptyState icon="help" title="There is no such page" action={<AppLink to="/applications">Go to the applications</AppLink>}>
      The address may be mistyped, or the link is from another version.
    </EmptyState>
  );
}
