import type { ReactElement } from 'react';
import type { Account } from '../../../contract/gen/types.ts';
import { Badge } from '../../design/index.ts';

const TITLES: ReadonlyMap<string, string> = new Map([
  ['login', 'signs in'],
  ['apiKey', 'uses tokens'],
]);

/** What an account is for, and whether it is switched on. */
export function Capabilities({ account }: { readonly account: Account }): ReactElement {
  const { capabilities = [], enabled } = account;
  return (
    <span className="accounts-badges">
      {enabled !== true && <Badge tone="warn">switched off</Badge>}
      {capabilities.map((capability) => (
        <Badge key={capability} tone="calm">
          {TITLES.get(capability) ?? capability}
        </Badge>
      ))}
      {capabilities.length === 0 && <span className="faint">none</span>}
    </span>
  );
}
