/**
 * Why a tool gave no answer of its own: it is not there, could not be started at the moment or was ended by somebody else, it took too
 * long or too much, or nobody waits for it any more.
 */
export type ToolFailure = 'missing' | 'unstartable' | 'ended' | 'timeout' | 'output' | 'memory' | 'stopped' | 'busy';

export class ToolError extends Error {
  readonly failure: ToolFailure;
  /** What it wrote to its standard error until then. */
  readonly stderr: string;

  constructor(failure: ToolFailure, message: string, stderr = '') {
    super(message);
    this.name = 'ToolError';
    this.failure = failure;
    this.stderr = stderr;
  }
}
