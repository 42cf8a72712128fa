export function holdLock<T>(path: string, work: () => Promise<T>): Promise<T>;
