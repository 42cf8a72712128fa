import type { ReactElement } from 'react';
import type { RepositoryCertificate } from '../../../contract/gen/types.ts';
import { api, queryClient } from '../../api/index.ts';
import { FormDialog, Notice, useDeed, UserText } from '../../design/index.ts';

interface RemoveDialogProps {
  readonly certificate: RepositoryCertificate;
  readonly all: readonly RepositoryCertificate[];
  readonly onClose: () => void;
}

/** No longer trusts a key or certificate. All certificates of a server go together, and a name with stars stands for many. */
export function RemoveDialog({ certificate, all, onClose }: RemoveDialogProps): ReactElement {
  const { serverName, certType, certSubType } = certificate;
  const isSsh = certType === 'ssh';
  const going = all.filter(
    (each) => each.certType === certType && (!isSsh || each.certSubType === certSubType) && matches(serverName, each.serverName),
  );
  const deed = useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['certificates'] });
    onClose();
  });
  return (
    <FormDialog
      title={
        <>
          No longer trust <UserText>{serverName}</UserText>?
        </>
      }
      action="Remove"
      look="danger"
      icon="trash"
      {...{ deed, onClose }}
      onSubmit={() =>
        deed.run(`${serverName} is no longer trusted`, () =>
          api.CertificateService.DeleteCertificate({ hostNamePattern: serverName, certType, ...(isSsh && { certSubType }) }),
        )
      }
    >
      <p>
        {isSsh
          ? 'Repositories of this host cannot be read over SSH with this key any more.'
          : 'Repositories of this server are checked against what the system trusts again.'}
      </p>
      {going.length > 1 && (
        <Notice tone="warn">
          {going.length} entries go together:{' '}
          {going.map(({ serverName: name, certInfo }, index) => (
            // Entries may be the same in all that is shown.
            <div key={index} className="one-line">
              {name} {certInfo}
            </div>
          ))}
        </Notice>
      )}
    </FormDialog>
  );
}

function matches(pattern: string, name: string): boolean {
  const source = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(name);
}
