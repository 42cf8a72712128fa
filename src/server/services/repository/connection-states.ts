import { createHash } from 'node:crypto';
import { ApiError, createSemaphore, LruMap } from '../../../base/index.ts';
import type { ConnectionState } from '../../../contract/index.ts';
import { formatTime } from '../../../objects/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import { findAccess, type RepositoryAccess } from '../../../sources/index.ts';
import { projectOf, urlOf, type RepositoryState } from './describe-repository.ts';
import type { RepositoryServiceOptions } from './repository-context.ts';

const STATES_MAX = 10_000;
/** How many repositories are asked at once, and how many may wait for it. */
const ASKED_MAX = 16;
const WAITING_MAX = 20_000;
/** No server may take longer to answer, whatever it is. */
const ASK_LIMIT_MS = 30_000;

interface Known {
  readonly atMs: number;
  readonly connectionState: ConnectionState;
}

/** Whether repositories can be reached: asked of them, and remembered for as long as the settings say. */
export interface ConnectionStates {
  /** With `until`: what is not known by then is said to be unknown, and is asked all the same. */
  of(secret: LabelledSecret, options: { readonly fresh: boolean; readonly until?: Promise<unknown> }): Promise<RepositoryState>;
}

export function createConnectionStates(context: Pick<RepositoryServiceOptions, 'settings' | 'sources' | 'clock'>): ConnectionStates {
  const { settings, sources, clock } = context;
  const known = new LruMap<string, Known>(STATES_MAX);
  const asking = new Map<string, Promise<ConnectionState>>();
  const turns = createSemaphore({ runningMax: ASKED_MAX, waitingMax: WAITING_MAX });

  const failed = (why: string): ConnectionState => ({
    status: 'Failed',
    message: `Unable to connect to repository: ${why}`,
    attemptedAt: formatTime(clock.nowMs()),
  });

  const unknown = (message: string): ConnectionState => ({ status: 'Unknown', message, attemptedAt: formatTime(clock.nowMs()) });

  async function ask(access: RepositoryAccess, onFailed: () => void): Promise<ConnectionState> {
    const attemptedAt = formatTime(clock.nowMs());
    try {
      await sources.testRepository(access, { signal: AbortSignal.timeout(ASK_LIMIT_MS), onFailed });
      return { status: 'Successful', message: '', attemptedAt };
    } catch (error) {
      return { ...failed(describe(error)), attemptedAt };
    }
  }

  /**
   * Asks when it is its turn. A failure that is held back so that nobody learns from the time keeps no turn from others, except where a
   * project registered the repository: that is done without trying it, and how long others wait would tell what was tried.
   */
  function askInTurn(access: RepositoryAccess, project: string): Promise<ConnectionState> | undefined {
    const turn = turns.tryRun(async () => {
      const isOver = Promise.withResolvers<void>();
      const state = ask(access, () => {
        if (project === '') isOver.resolve();
      });
      await Promise.race([state, isOver.promise]);
      // Wrapped, so that its turn ends before it is known.
      return { state };
    });
    return turn?.then(({ state }) => state);
  }

  /** Who asks while somebody else does waits for the same answer. */
  function askOnce(key: string, access: RepositoryAccess, project: string): Promise<ConnectionState> {
    const running = asking.get(key);
    if (running !== undefined) return running;
    const turn = askInTurn(access, project);
    if (turn === undefined) return Promise.resolve(unknown('too many repositories are being asked already'));
    const asked = turn
      .then((connectionState) => {
        known.set(key, { atMs: clock.nowMs(), connectionState });
        return connectionState;
      })
      .finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  }

  return {
    async of(secret, { fresh, until }) {
      let access: RepositoryAccess;
      try {
        access = findAccess(settings.current, urlOf(secret), projectOf(secret));
      } catch (error) {
        // What its Secret says cannot be used. Nobody was asked, so nothing is remembered.
        return { connectionState: failed(describe(error)), inheritsCredentials: false };
      }
      const key = keyOf(access, settings.current.labelledSecrets);
      const before = known.get(key);
      const isRecent = before !== undefined && clock.nowMs() - before.atMs < settings.current.parameters.connectionStatusCacheMs;
      const asked = isRecent && !fresh ? before.connectionState : askOnce(key, access, projectOf(secret));
      const late = until?.then(() => unknown('the repository has not answered yet, or could not be asked yet: look again in a moment'));
      const connectionState = await (late === undefined ? asked : Promise.race([asked, late]));
      return { connectionState, inheritsCredentials: templateOf(access) !== '' };
    },
  };
}

/** An answer holds for the credentials, and for the trust, that it was got with. */
function keyOf(access: RepositoryAccess, secrets: ReadonlyMap<string, LabelledSecret>): string {
  const { url, owner, certificateAuthorities, sshKnownHosts } = access;
  const versions = owner.split('/').map((name) => [name, secrets.get(name)?.uid, secrets.get(name)?.resourceVersion]);
  // Known hosts may be many: what is remembered of them is short.
  return createHash('sha256')
    .update(JSON.stringify([url, versions, certificateAuthorities, sshKnownHosts]))
    .digest('base64');
}

/** The owner of an access is the names of its Secret and of its template. */
function templateOf({ owner }: RepositoryAccess): string {
  return owner.split('/')[1] ?? '';
}

function describe(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'it did not answer in time' : 'an internal error';
}
