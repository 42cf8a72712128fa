import { useMemo, useState, type ReactElement } from 'react';
import { api, encodeBytes, queryClient, type Permission } from '../../api/index.ts';
import { Check, FormDialog, Notice, TextAreaField, TextField, useDeed } from '../../design/index.ts';
import { parseKnownHosts } from './parse-known-hosts.ts';

interface AddProps {
  readonly permission: Permission;
  readonly onClose: () => void;
}

function useAddition(onClose: () => void): ReturnType<typeof useDeed> {
  return useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['certificates'] });
    onClose();
  });
}

function Replace({ isOn, onChange }: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }): ReactElement {
  return <Check title="Replace what is there for the same server" isOn={isOn} onChange={onChange} />;
}

/** Trusts a certificate for a server. */
export function AddTlsDialog({ permission, onClose }: AddProps): ReactElement {
  const [server, setServer] = useState('');
  const [pem, setPem] = useState('');
  const [upsert, setUpsert] = useState(false);
  const deed = useAddition(onClose);
  const add = (): Promise<unknown> => {
    const item = { serverName: server.trim(), certType: 'https', certSubType: '', certData: encodeBytes(pem), certInfo: '' };
    return api.CertificateService.CreateCertificate({ certificates: { items: [item] }, upsert });
  };
  return (
    <FormDialog
      title="Trust a TLS certificate"
      action="Add"
      {...{ permission, deed, onClose }}
      disabledReason={findTlsGap(server, pem)}
      onSubmit={() => deed.run(`The certificate for ${server.trim()} is trusted`, add)}
    >
      <TextField
        title="Server"
        value={server}
        placeholder="git.example"
        hint="The name in the address of the repositories, without a port."
        onChange={setServer}
      />
      <TextAreaField
        title="Certificates"
        value={pem}
        rows={8}
        isCode
        placeholder={'-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----'}
        hint="In PEM form: that of the server, or of the authority that signed it. They count instead of those that the system trusts."
        onChange={setPem}
      />
      <Replace isOn={upsert} onChange={setUpsert} />
      {deed.failure?.includes('already exists') === true && (
        <Notice tone="warn">Tick the box above if these are to count instead of those that are there.</Notice>
      )}
      {/X509|PEM/.test(deed.failure ?? '') && (
        <Notice tone="warn">This is no whole certificate. Copy all of it, from its line with BEGIN to its line with END.</Notice>
      )}
    </FormDialog>
  );
}

function findTlsGap(server: string, pem: string): string | undefined {
  if (server.trim() === '') return 'Write the name of the server';
  if (/PRIVATE KEY-----/.test(pem)) return 'This is a private key: keep it to yourself, and paste the certificate';
  return pem.includes('-----BEGIN CERTIFICATE-----') ? undefined : 'Paste a certificate in PEM form';
}

/** Trusts the keys of SSH servers. */
export function AddSshDialog({ permission, onClose }: AddProps): ReactElement {
  const [text, setText] = useState('');
  const [upsert, setUpsert] = useState(false);
  const deed = useAddition(onClose);
  const { certificates, problems } = useMemo(() => parseKnownHosts(text), [text]);
  const count = certificates.length;
  return (
    <FormDialog
      title="Trust SSH host keys"
      action={count > 1 ? `Add ${count} keys` : 'Add'}
      {...{ permission, deed, onClose }}
      disabledReason={problems[0] ?? (count === 0 ? 'Paste at least one line' : undefined)}
      onSubmit={() =>
        deed.run(count === 1 ? `The key of ${certificates[0]!.serverName} is trusted` : `${count} host keys are trusted`, () =>
          api.CertificateService.CreateCertificate({ certificates: { items: [...certificates] }, upsert }),
        )
      }
    >
      <TextAreaField
        title="Known hosts"
        value={text}
        rows={8}
        isCode
        placeholder="git.example ssh-ed25519 AAAAC3…"
        error={problems[0]}
        hint="One key on each line, as ssh-keyscan prints them. Compare the fingerprints with those that the server's owner tells."
        onChange={setText}
      />
      <Replace isOn={upsert} onChange={setUpsert} />
      {deed.failure?.includes('already exists') === true && <Notice tone="warn">Tick the box above if the key has really changed.</Notice>}
    </FormDialog>
  );
}
