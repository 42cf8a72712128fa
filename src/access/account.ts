/** A local account as others may see it. */
export interface LocalAccount {
  readonly name: string;
  readonly enabled: boolean;
  readonly capabilities: readonly ('login' | 'apiKey')[];
}

/** The one account that always exists. */
export const adminAccount: LocalAccount = { name: 'admin', enabled: true, capabilities: ['login'] };
