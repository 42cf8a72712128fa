/** What one slot of load is to do. */
export interface LoadOrder {
  readonly request: LoadRequest;
  readonly port: number;
  /** The server, whose processor time is read. */
  readonly pid: number;
  readonly durationMs: number;
}

export interface LoadRequest {
  readonly http: 1 | 2;
  /** In HTTP/2 with the pseudo headers first; in HTTP/1.1 without the length, which is added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly verb: string;
  readonly path: string;
  readonly body: Uint8Array;
  /** Every answer must carry exactly this. */
  readonly answer: Uint8Array;
}

export interface LoadResult {
  readonly calls: number;
  readonly wallMs: number;
  readonly serverMs: number;
  /** Processor time of the generator itself. */
  readonly generatorMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A connection under load. It counts through `onAnswer`, asks on until it is to finish, and reports what it does not expect. */
export interface LoadedConnection {
  /** Resolves when the server has taken the connection. */
  readonly opened: Promise<void>;
  begin(): void;
  /** Asks no more, and closes when what was asked is answered: a server should not have to deal with broken connections. */
  finish(): Promise<void>;
  destroy(): void;
}

export interface ConnectionOptions {
  readonly request: LoadRequest;
  readonly port: number;
  readonly onAnswer: (durationMs: number) => void;
  readonly onFailure: (error: Error) => void;
}
