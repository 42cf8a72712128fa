import type { HttpGet } from '../http/http-request.ts';
import type { RepositoryAccess } from '../repository-access.ts';

/** What a provider gave, and until when it is good. */
export interface Token {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** What asking a provider needs. */
export interface TokenRequest {
  readonly access: RepositoryAccess;
  /** Owner and name of the repository, or more. */
  readonly path: string;
  readonly get: HttpGet;
  readonly nowMs: number;
}
