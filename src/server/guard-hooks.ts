import type { Logger } from '../base/index.ts';
import type { ServerHooks } from './hooks.ts';

/** The hooks, made safe to call: what one throws is logged and goes no further. */
export type GuardedHooks = Required<ServerHooks>;

export function guardHooks(hooks: ServerHooks, log: Logger): GuardedHooks {
  const guard =
    <Values extends readonly unknown[]>(hook: ((...values: Values) => void) | undefined) =>
    (...values: Values): void => {
      try {
        hook?.(...values);
      } catch (error) {
        log.error('a hook failed', { error });
      }
    };
  return {
    onCallStarted: guard(hooks.onCallStarted),
    onCallFinished: guard(hooks.onCallFinished),
    onRouteFinished: guard(hooks.onRouteFinished),
    onConnectionOpened: guard(hooks.onConnectionOpened),
    onConnectionClosed: guard(hooks.onConnectionClosed),
    onRefused: guard(hooks.onRefused),
    onInternalError: guard(hooks.onInternalError),
  };
}
