import type { GoAny } from '../../../../template/index.ts';

/** A repository, at one of its branches. */
export interface ScmRepository {
  readonly organization: string;
  readonly repository: string;
  /** A number or a text, as the provider has it. */
  readonly repositoryId: GoAny;
  readonly url: string;
  readonly branch: string;
  /** Empty where it takes more than the listing to know it. */
  readonly sha: string;
  readonly labels: readonly string[];
  /** What it is called in addresses, where that is not its name. */
  readonly slug?: string;
}

/** Who keeps repositories. Each call knows all there is, or throws. */
export interface ScmProvider {
  /** Each at its default branch; those that have none are left out. */
  listRepositories(cloneProtocol: string): Promise<readonly ScmRepository[]>;
  /** The default branch, or all of them where the generator asks for that. */
  listBranches(repository: ScmRepository): Promise<readonly ScmRepository[]>;
  hasPath(repository: ScmRepository, path: string): Promise<boolean>;
}
