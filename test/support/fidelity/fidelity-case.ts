import type { RenderRequest } from '../../../src/sources/index.ts';

/** A source that we wrote, and what somebody would do by hand to get its manifests. */
export interface FidelityCase {
  readonly name: string;
  /** Below the folder of the case, unless they start with a slash: those are at the root of the repository, as written. */
  readonly files: Readonly<Record<string, string | { readonly link: string }>>;
  /** Besides the repository and the path. */
  readonly source?: Partial<RenderRequest['source']>;
  readonly request?: Partial<RenderRequest>;
  readonly byHand: ByHand;
}

export type ByHand =
  /** `helm template .` with these arguments, in the folder of the case. */
  | { readonly tool: 'helm'; readonly args: readonly string[] }
  /** `kustomize` with each of these in turn, then `kustomize build`, with files written over before. */
  | {
      readonly tool: 'kustomize';
      readonly edits?: readonly (readonly string[])[];
      readonly files?: Readonly<Record<string, string>>;
      readonly build?: readonly string[];
    }
  /** The documents of these files in this order. */
  | { readonly tool: 'directory'; readonly files: readonly string[] };
