/** What a rule is: a name, and a function from the tree to what is wrong with it. */
import type { SourceFile } from './source-file.ts';

export interface Tree {
  files: readonly SourceFile[];
  packageJson: { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
  /** The text of docs/dependencies.md. */
  dependenciesPage: string;
  /** Symbolic links that are part of the repository. */
  links: readonly string[];
}

export interface Finding {
  path: string;
  line?: number;
  message: string;
}

export interface Rule {
  name: string;
  find: (tree: Tree) => Finding[];
}

/** A rule that looks at each file by itself. */
export function perFile(name: string, find: (file: SourceFile) => Omit<Finding, 'path'>[]): Rule {
  return {
    name,
    find: ({ files }) => files.flatMap((file) => find(file).map((finding) => ({ path: file.path, ...finding }))),
  };
}
