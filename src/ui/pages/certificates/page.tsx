import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { RepositoryCertificate } from '../../../contract/gen/types.ts';
import { api, useCan, type Permission } from '../../api/index.ts';
import { readList, readText, useSearchValues } from '../../app/index.ts';
import {
  Badge,
  Button,
  EmptyState,
  ErrorState,
  FilterMenu,
  formatAge,
  ListPage,
  Loading,
  SearchField,
  VirtualTable,
  type Column,
  UserText,
} from '../../design/index.ts';
import { AddSshDialog, AddTlsDialog } from './add-dialogs.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useValidity, type Validity } from './use-validity.ts';

const DAY_MS = 86_400_000;
/** Long enough to ask somebody for another one. */
const SOON_MS = 30 * DAY_MS;
const KINDS: ReadonlyMap<string, string> = new Map([
  ['https', 'TLS'],
  ['ssh', 'SSH'],
]);

/** What servers of repositories are known by: TLS certificates and SSH host keys. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const { data, error, refetch } = useQuery({
    queryKey: ['certificates'],
    queryFn: async ({ signal }) => (await api.CertificateService.ListCertificates({}, { signal })).items ?? [],
  });
  const canCreate = useCan('certificates', 'create', '');
  const canDelete = useCan('certificates', 'delete', '');
  const [going, setGoing] = useState<RepositoryCertificate>();
  const kinds = readList(search['kind']);
  const words = readText(search['search']).toLowerCase();
  const validities = useValidity(data ?? []);
  const rows = (data ?? [])
    .map((certificate, index) => ({ certificate, index, validity: validities[index] }))
    .filter(({ certificate: { serverName, certType, certInfo } }) => {
      const isKind = kinds.length === 0 || kinds.includes(KINDS.get(certType) ?? certType);
      return isKind && `${serverName} ${certInfo}`.toLowerCase().includes(words);
    });
  const isFiltered = kinds.length > 0 || words !== '';
  const close = (): void => change({ add: undefined });
  return (
    <>
      <ListPage
        title="Certificates"
        total={data?.length}
        actions={<AddButtons permission={canCreate} onAdd={(kind) => change({ add: kind }, { replace: false })} />}
        filters={
          <>
            <SearchField label="Search by server" value={readText(search['search'])} onChange={(text) => change({ search: text })} />
            <FilterMenu title="Kind" values={[...KINDS.values()]} chosen={kinds} onChoose={(chosen) => change({ kind: chosen })} />
          </>
        }
      >
        {error !== null && data === undefined ? (
          <ErrorState error={error} what="The certificates could not be read" onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="Reading the certificates" />
        ) : rows.length === 0 ? (
          <EmptyState icon="shield" title={isFiltered ? 'No certificate matches' : 'No certificates yet'}>
            Add the certificate of a server that the system does not trust, or the host keys of an SSH server.
          </EmptyState>
        ) : (
          <VirtualTable
            label="Certificates"
            columns={columnsFor(canDelete, setGoing)}
            count={rows.length}
            rowAt={(index) => rows[index]}
            keyOf={({ index }) => String(index)}
            minWidth={920}
          />
        )}
      </ListPage>
      {readText(search['add']) === 'tls' && <AddTlsDialog permission={canCreate} onClose={close} />}
      {readText(search['add']) === 'ssh' && <AddSshDialog permission={canCreate} onClose={close} />}
      {going !== undefined && <RemoveDialog certificate={going} all={data ?? []} onClose={() => setGoing(undefined)} />}
    </>
  );
}

function AddButtons({
  permission,
  onAdd,
}: {
  readonly permission: Permission;
  readonly onAdd: (kind: 'tls' | 'ssh') => void;
}): ReactElement {
  return (
    <div className="row">
      <Button icon="plus" permission={permission} onClick={() => onAdd('ssh')}>
        SSH host keys
      </Button>
      <Button icon="plus" look="primary" permission={permission} onClick={() => onAdd('tls')}>
        TLS certificate
      </Button>
    </div>
  );
}

interface Row {
  readonly certificate: RepositoryCertificate;
  /** Entries may be the same in all that is shown. */
  readonly index: number;
  readonly validity: Validity | undefined;
}

function columnsFor(canDelete: Permission, onRemove: (certificate: RepositoryCertificate) => void): readonly Column<Row>[] {
  return [
    {
      key: 'server',
      title: 'Server',
      width: 'minmax(180px, 2fr)',
      render: ({ certificate }) => (
        <span className="one-line">
          <UserText>{certificate.serverName}</UserText>
        </span>
      ),
    },
    {
      key: 'kind',
      title: 'Kind',
      width: '70px',
      render: ({ certificate: { certType } }) => <Badge>{KINDS.get(certType) ?? certType}</Badge>,
    },
    {
      key: 'type',
      title: 'Key',
      width: 'minmax(110px, 1fr)',
      render: ({ certificate }) => <span className="one-line">{certificate.certSubType}</span>,
    },
    {
      key: 'info',
      title: 'Fingerprint or subject',
      // Wide enough for a whole fingerprint, which people compare.
      width: 'minmax(400px, 3fr)',
      render: ({ certificate: { certInfo } }) => (
        <code className="one-line" title={certInfo}>
          <UserText>{certInfo}</UserText>
        </code>
      ),
    },
    {
      key: 'until',
      title: 'Counts until',
      width: '120px',
      render: ({ validity }) => <Until validity={validity} />,
    },
    {
      key: 'remove',
      title: <span className="visually-hidden">What to do</span>,
      width: '50px',
      render: ({ certificate }) => (
        <Button
          look="quiet"
          icon="trash"
          label={`Remove ${certificate.serverName} ${certificate.certSubType}`}
          permission={canDelete}
          onClick={() => onRemove(certificate)}
        />
      ),
    },
  ];
}

/** When a certificate stops to count; host keys never do. */
function Until({ validity }: { readonly validity: Validity | undefined }): ReactElement | null {
  const end = Date.parse(validity?.notAfter ?? '');
  if (validity === undefined || Number.isNaN(end)) return null;
  const leftMs = end - Date.now();
  const signed = validity.issuer === undefined ? '' : `, signed by ${validity.issuer || 'nobody'}`;
  return (
    <time dateTime={validity.notAfter} title={`${new Date(end).toLocaleString()}${signed}`}>
      {leftMs < 0 ? (
        <Badge tone="bad">expired {formatAge(-leftMs)} ago</Badge>
      ) : leftMs < SOON_MS ? (
        <Badge tone="warn">{formatAge(leftMs)} left</Badge>
      ) : (
        new Date(end).toLocaleDateString()
      )}
    </time>
  );
}
