import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { GnuPGPublicKey, GnuPGPublicKeyCreateResponse } from '../../../contract/gen/types.ts';
import { api, queryClient, useCan, type Permission } from '../../api/index.ts';
import { readText, SearchFilter, useSearchValues } from '../../app/index.ts';
import {
  Button,
  EmptyState,
  ErrorState,
  FormDialog,
  ListPage,
  Loading,
  showToast,
  TextAreaField,
  useDeed,
  VirtualTable,
  type Column,
  UserText,
} from '../../design/index.ts';
import { KeyPanel } from './key-panel.tsx';
import './gpg-keys.css';

const COLUMNS: readonly Column<GnuPGPublicKey>[] = [
  { key: 'id', title: 'Key', width: '180px', render: ({ keyID }) => <code className="one-line">{keyID}</code> },
  {
    key: 'owner',
    title: 'Of',
    width: 'minmax(200px, 2fr)',
    render: ({ owner }) => (
      <span className="one-line">
        <UserText>{owner}</UserText>
      </span>
    ),
  },
  { key: 'type', title: 'Type', width: '110px', render: ({ subType }) => <span className="one-line">{subType}</span> },
  {
    key: 'fingerprint',
    title: 'Fingerprint',
    width: 'minmax(200px, 2fr)',
    render: ({ fingerprint }) => (
      <code className="one-line" title={fingerprint}>
        {fingerprint}
      </code>
    ),
  },
];

/** The public keys by which signatures of commits are checked. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const { data, error, refetch } = useQuery({
    queryKey: ['gpg-keys'],
    queryFn: async ({ signal }) => (await api.GPGKeyService.List({}, { signal })).items ?? [],
  });
  const canCreate = useCan('gpgkeys', 'create', '');
  const canDelete = useCan('gpgkeys', 'delete', '');
  // After that nothing is shown of it any more.
  const [going, setGoing] = useState<string>();
  const words = readText(search['search']).toLowerCase();
  const shown = (data ?? []).filter(({ keyID, owner, fingerprint }) => `${keyID} ${owner} ${fingerprint}`.toLowerCase().includes(words));
  const opened = readText(search['open']);
  const closePanel = (): void => change({ open: undefined });
  return (
    <>
      <ListPage
        title="GnuPG keys"
        total={data?.length}
        actions={
          <Button look="primary" icon="plus" permission={canCreate} onClick={() => change({ add: 'key' }, { replace: false })}>
            Add a key
          </Button>
        }
        filters={<SearchFilter label="Search by id or name" group="GnuPG keys" />}
      >
        {error !== null && data === undefined ? (
          <ErrorState error={error} what="The keys could not be read" onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="Reading the keys" />
        ) : shown.length === 0 ? (
          <EmptyState icon="key" title={words === '' ? 'No keys yet' : 'No key matches'}>
            Add the public keys of those who sign commits, and name them in the projects whose commits must be signed.
          </EmptyState>
        ) : (
          <VirtualTable
            label="GnuPG keys"
            columns={COLUMNS}
            count={shown.length}
            rowAt={(index) => shown[index]}
            keyOf={({ keyID }) => keyID}
            minWidth={720}
            onOpen={({ keyID }) => {
              setGoing(undefined);
              change({ open: keyID }, { replace: false });
            }}
          />
        )}
      </ListPage>
      {readText(search['add']) === 'key' && <AddDialog permission={canCreate} onClose={() => change({ add: undefined })} />}
      {opened !== '' && opened !== going && (
        <KeyPanel keyId={opened} {...{ canDelete }} onClose={closePanel} onRemove={() => setGoing(opened)} />
      )}
      {opened !== '' && opened === going && <RemoveDialog keyId={opened} onClose={() => setGoing(undefined)} onRemoved={closePanel} />}
    </>
  );
}

function AddDialog({ permission, onClose }: { readonly permission: Permission; readonly onClose: () => void }): ReactElement {
  const [text, setText] = useState('');
  const deed = useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['gpg-keys'] });
    onClose();
  });
  const add = async (): Promise<void> => tellSkipped(await api.GPGKeyService.Create({ publickey: { keyID: '', keyData: text } }));
  return (
    <FormDialog
      title="Add a GnuPG key"
      action="Add"
      {...{ permission, deed, onClose }}
      disabledReason={findGap(text)}
      onSubmit={() => deed.run('The keys are there', add)}
    >
      <TextAreaField
        title="Public key"
        value={text}
        rows={10}
        isCode
        placeholder={'-----BEGIN PGP PUBLIC KEY BLOCK-----\n…\n-----END PGP PUBLIC KEY BLOCK-----'}
        hint="As gpg --export --armor prints it; several at once are fine."
        onChange={setText}
      />
    </FormDialog>
  );
}

function findGap(text: string): string | undefined {
  if (text.includes('PRIVATE KEY BLOCK')) return 'This is a private key: keep it to yourself, and paste the public one';
  return text.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----') ? undefined : 'Paste a public key';
}

function tellSkipped({ skipped = [] }: GnuPGPublicKeyCreateResponse): void {
  if (skipped.length > 0) showToast('warn', `There already: ${skipped.join(', ')}`);
}

interface RemoveProps {
  readonly keyId: string;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

function RemoveDialog({ keyId, onClose, onRemoved }: RemoveProps): ReactElement {
  const deed = useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['gpg-keys'] });
    onRemoved();
  });
  return (
    <FormDialog
      title={`Remove the key ${keyId}?`}
      action="Remove"
      look="danger"
      icon="trash"
      {...{ deed, onClose }}
      onSubmit={() => deed.run(`The key ${keyId} is removed`, () => api.GPGKeyService.Delete({ keyID: keyId }))}
    >
      <p>
        Commits that it signed no longer count as signed. Applications of projects that ask for signatures may not sync until another key
        has signed.
      </p>
    </FormDialog>
  );
}
