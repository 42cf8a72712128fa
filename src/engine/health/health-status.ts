/** From best to worst. */
const ORDER = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded', 'Unknown'] as const;

export type HealthStatusCode = (typeof ORDER)[number];

/** How an object is, and in words why. */
export interface Health {
  readonly status: HealthStatusCode;
  readonly message?: string;
}

export function isHealthStatusCode(value: unknown): value is HealthStatusCode {
  return ORDER.some((code) => code === value);
}

/** Whether the second is worse than the first. */
export function isWorse(current: HealthStatusCode, next: HealthStatusCode): boolean {
  return ORDER.indexOf(next) > ORDER.indexOf(current);
}
