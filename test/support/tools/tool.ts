/** The programs that tests build from the Go modules beside this file. Each folder is named after its tool. */
export const TOOLS = {
  /** The stock client; the version is what it reports, and must be the one that its go.mod requires. */
  argocd: { linkerFlags: '-s -w -X github.com/argoproj/argo-cd/v3/common.version=3.5.6', costOfColdBuild: 'about 5 minutes' },
  /** Bytes and JSON of the stock client's own types. */
  golden: { linkerFlags: '-s -w', costOfColdBuild: 'about 2 minutes' },
} as const;

export type ToolName = keyof typeof TOOLS;

/** A tool cannot be had on this machine: the suite that needs it is skipped, loudly. */
export class ToolMissing extends Error {
  readonly tool: ToolName;

  constructor(tool: ToolName, reason: string) {
    super(`${tool} cannot be built here: ${reason}`);
    this.name = 'ToolMissing';
    this.tool = tool;
  }
}
