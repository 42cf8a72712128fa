export function runNpm(args: readonly string[], folder: string): Promise<void>;
