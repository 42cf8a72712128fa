import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, type Permission } from '../../api/index.ts';
import { Button, Copy, ErrorState, Loading, Panel, UserText } from '../../design/index.ts';

interface KeyPanelProps {
  readonly keyId: string;
  readonly canDelete: Permission;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

/** One key, whole: it is public. */
export function KeyPanel({ keyId, canDelete, onClose, onRemove }: KeyPanelProps): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['gpg-keys', keyId],
    queryFn: ({ signal }) => api.GPGKeyService.Get({ keyID: keyId }, { signal }),
  });
  return (
    <Panel
      title={`Key ${keyId}`}
      isOpen
      onClose={onClose}
      foot={
        <Button look="danger" icon="trash" permission={canDelete} onClick={onRemove}>
          Remove
        </Button>
      }
    >
      {error !== null && <ErrorState error={error} what="The key could not be read" onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="Reading the key" />}
      {data !== undefined && (
        <div className="stack">
          <dl className="facts">
            <dt>Of</dt>
            <dd>{data.owner ? <UserText>{data.owner}</UserText> : '—'}</dd>
            <dt>Type</dt>
            <dd>{data.subType || '—'}</dd>
            <dt>Fingerprint</dt>
            <dd>
              <code>{data.fingerprint}</code> <Copy text={data.fingerprint ?? ''} label="Copy the fingerprint" />
            </dd>
          </dl>
          <div className="row">
            <h3 className="grow">Public key</h3>
            <Copy text={data.keyData ?? ''} label="Copy the key" />
          </div>
          <pre className="gpg-keys-data" tabIndex={0}>
            {data.keyData}
          </pre>
          <p className="soft">Projects that ask for signed commits name this key: their commits count if it signed them.</p>
        </div>
      )}
    </Panel>
  );
}
