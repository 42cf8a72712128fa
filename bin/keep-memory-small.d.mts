export const ALLOCATOR: Readonly<Record<string, string>>;

export function keepMemorySmall(): void;

export function smallFlags(): string[];
export const YOUNG_FLAG: string;
