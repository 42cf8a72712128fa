import { describe, expect, it } from 'vitest';
import { readCommand } from './container-command.ts';

describe('a command', () => {
  it.each([
    [['sleep', '5'], 5_000, 0],
    [['sh', '-c', 'sleep 1.5; echo done'], 1_500, 0],
    [['sh', '-c', 'sleep 2m && sleep 1'], 121_000, 0],
    [['sh', '-c', 'exit 3'], undefined, 3],
    [['sh', '-c', 'sleep 1; exit 0'], 1_000, 0],
    [['false'], undefined, 1],
    [['/bin/false'], undefined, 1],
    [['sh', '-c', 'echo a; false'], undefined, 1],
    [['tool', '--verbose=false'], undefined, 0],
    [['tool', '--verbose', 'false', '--x'], undefined, 0],
    [['nosleep', '5'], undefined, 0],
    [[], undefined, 0],
  ])('%j takes %s ms and ends with %i', (command, durationMs, exitCode) => {
    expect(readCommand({ command })).toEqual({ durationMs, exitCode });
    expect(readCommand({ args: command })).toEqual({ durationMs, exitCode });
  });
});
