import type { Socket } from 'node:net';
import type { GuardedHooks } from '../guard-hooks.ts';
import type { RefusalReason } from '../hooks.ts';
import type { Limits } from '../limits.ts';
import { LinkedList, type Linked } from '../transports/core/linked-list.ts';

/** What a connection owes us next: its first byte, the rest of its handshake, or its first request. */
export type Phase = 'first-byte' | 'handshake' | 'head';

/** One client connection. */
export interface Connection extends Linked<Connection> {
  readonly socket: Socket;
  phase: Phase;
  /** When this phase, or idleness, began; as `performance.now()`. */
  sinceMs: number;
  /** Requests in progress. */
  active: number;
  /** Lets what is in progress finish and takes no more. */
  close: () => void;
}

export interface ConnectionsOptions {
  readonly limits: Limits;
  readonly hooks: GuardedHooks;
}

/**
 * All connections, by what they are worth. `pending` ones have not yet sent a request that we serve; they are bounded,
 * and the oldest is closed first, so that any number of slow or silent clients cannot keep others out. `idle` ones have
 * no request in progress; the one idle longest makes room when there are too many in all.
 */
export class Connections {
  readonly #all = new Set<Connection>();
  readonly #pending = new Set<Connection>();
  readonly #idle = new LinkedList<Connection>();
  /** Asked to close; cut off if they do not. */
  readonly #closing = new Set<Connection>();
  readonly #options: ConnectionsOptions;
  #draining = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Undefined when there is no room: the socket is closed then. */
  open(socket: Socket): Connection | undefined {
    const { limits, hooks } = this.#options;
    if (
      this.#all.size >= limits.connectionsMax &&
      !this.#evict(this.#idle.first, 'connections') &&
      !this.#evict(firstOf(this.#pending), 'connections')
    ) {
      hooks.onRefused('connections');
      socket.destroy();
      return undefined;
    }
    if (this.#pending.size >= limits.pendingConnectionsMax) this.#evict(firstOf(this.#pending), 'pending');
    const connection: Connection = {
      socket,
      phase: 'first-byte',
      sinceMs: performance.now(),
      active: 0,
      close: () => socket.destroy(),
      previousInList: undefined,
      nextInList: undefined,
    };
    this.#all.add(connection);
    this.#pending.add(connection);
    socket.once('close', () => this.#forget(connection));
    hooks.onConnectionOpened();
    return connection;
  }

  enter(connection: Connection, phase: Phase): void {
    connection.phase = phase;
    connection.sinceMs = performance.now();
  }

  /** A request has begun on the connection. */
  begin(connection: Connection): void {
    connection.active++;
    this.#idle.delete(connection);
    this.#closing.delete(connection);
  }

  /** A request on the connection is worth serving. */
  serve(connection: Connection): void {
    this.#pending.delete(connection);
  }

  /** A request on the connection is over. */
  release(connection: Connection): void {
    connection.active--;
    if (connection.active > 0 || !this.#all.has(connection)) return;
    this.#pending.delete(connection);
    connection.sinceMs = performance.now();
    this.#idle.add(connection);
    if (this.#draining) connection.close();
  }

  /** Closes what has kept us waiting for too long. */
  sweep(nowMs: number): void {
    const { firstByteTimeoutMs, handshakeTimeoutMs, headTimeoutMs, idleTimeoutMs, lingerMs } = this.#options.limits;
    const timeouts: Record<Phase, number> = { 'first-byte': firstByteTimeoutMs, handshake: handshakeTimeoutMs, head: headTimeoutMs };
    for (const connection of this.#pending) {
      // While a request is in progress its own limits apply.
      if (connection.active === 0 && nowMs - connection.sinceMs > timeouts[connection.phase]) this.#cut(connection, 'timeout');
    }
    for (const connection of this.#closing) if (nowMs - connection.sinceMs > lingerMs) connection.socket.destroy();
    for (let oldest = this.#idle.first; oldest !== undefined && nowMs - oldest.sinceMs > idleTimeoutMs; oldest = this.#idle.first) {
      this.#idle.delete(oldest);
      this.#closing.add(oldest);
      oldest.sinceMs = nowMs;
      oldest.close();
    }
  }

  /** Closes what is idle, now and whenever something becomes so. Resolves when nothing is left. */
  drain(): Promise<void> {
    this.#draining = true;
    for (const connection of this.#all) connection.close();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#all.size === 0) resolve();
    });
  }

  destroyAll(): void {
    for (const connection of this.#all) connection.socket.destroy();
  }

  /** Counts a refusal that somebody else has carried out. */
  note(reason: RefusalReason): void {
    this.#options.hooks.onRefused(reason);
  }

  /** Cuts a connection off and counts why. */
  refuse(connection: Connection, reason: RefusalReason): void {
    this.#cut(connection, reason);
  }

  /** Returns whether there was one. */
  #evict(oldest: Connection | undefined, reason: RefusalReason): boolean {
    if (oldest !== undefined) this.#cut(oldest, reason);
    return oldest !== undefined;
  }

  #cut(connection: Connection, reason: RefusalReason): void {
    if (!this.#all.has(connection)) return;
    this.#forget(connection);
    this.note(reason);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#pending.delete(connection);
    this.#idle.delete(connection);
    this.#closing.delete(connection);
    if (this.#all.delete(connection)) this.#closed(connection);
  }

  #closed({ socket }: Connection): void {
    this.#options.hooks.onConnectionClosed({ bytesRead: socket.bytesRead, bytesWritten: socket.bytesWritten });
    if (this.#all.size === 0) this.#onEmpty?.();
  }
}

function firstOf(connections: ReadonlySet<Connection>): Connection | undefined {
  for (const oldest of connections) return oldest;
  return undefined;
}
