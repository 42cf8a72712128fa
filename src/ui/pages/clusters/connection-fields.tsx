import type { ReactElement } from 'react';
import { Check, SelectField, TextAreaField, TextField } from '../../design/index.ts';
import { connectionWays, type Connection } from './connection.ts';

interface ConnectionFieldsProps {
  readonly connection: Connection;
  readonly onChange: (changes: Partial<Connection>) => void;
}

/** How to sign in, and how the cluster is known. */
export function ConnectionFields({ connection, onChange }: ConnectionFieldsProps): ReactElement {
  return (
    <>
      <SelectField title="Sign in with" value={connection.way} options={connectionWays} onChange={(way) => onChange({ way })} />
      <WayFields {...{ connection, onChange }} />
      {!connection.isInsecure && (
        <TextAreaField
          title="Certificate authority (optional)"
          value={connection.authorities}
          isCode
          placeholder="-----BEGIN CERTIFICATE-----"
          hint="What signed the certificate of the cluster, in PEM form. Left empty, what the system trusts."
          onChange={(authorities) => onChange({ authorities })}
        />
      )}
      <Check
        title="Do not check the certificate of the cluster"
        detail="Anybody between could read the credentials and change what is deployed."
        isOn={connection.isInsecure}
        onChange={(isInsecure) => onChange({ isInsecure })}
      />
      <details className="clusters-more">
        <summary>More about the connection</summary>
        <div className="stack">
          <TextField
            title="Name in the certificate"
            value={connection.serverName}
            hint="Where it is another than the host of the address."
            onChange={(serverName) => onChange({ serverName })}
          />
          <TextField
            title="Proxy"
            value={connection.proxyUrl}
            placeholder="http://proxy.example:3128"
            onChange={(proxyUrl) => onChange({ proxyUrl })}
          />
          <Check
            title="Answers that are not compressed"
            isOn={connection.disableCompression}
            onChange={(disableCompression) => onChange({ disableCompression })}
          />
        </div>
      </details>
    </>
  );
}

function WayFields({ connection, onChange }: ConnectionFieldsProps): ReactElement {
  const { way, bearerToken, certificate, key, username, password, awsCluster, awsRole, awsProfile } = connection;
  if (way === 'token')
    return <TextField title="Token" type="password" value={bearerToken} onChange={(text) => onChange({ bearerToken: text })} />;
  if (way === 'certificate')
    return (
      <>
        <TextAreaField
          title="Client certificate"
          value={certificate}
          isCode
          placeholder="-----BEGIN CERTIFICATE-----"
          onChange={(text) => onChange({ certificate: text })}
        />
        <TextAreaField
          title="Client key"
          value={key}
          isCode
          placeholder="-----BEGIN PRIVATE KEY-----"
          onChange={(text) => onChange({ key: text })}
        />
      </>
    );
  if (way === 'password')
    return (
      <>
        <TextField title="User name" value={username} onChange={(text) => onChange({ username: text })} />
        <TextField title="Password" type="password" value={password} onChange={(text) => onChange({ password: text })} />
      </>
    );
  return (
    <>
      <TextField
        title="Name of the cluster at AWS"
        value={awsCluster}
        hint="Tokens are asked of AWS by a program that must be installed beside the server."
        onChange={(text) => onChange({ awsCluster: text })}
      />
      <TextField
        title="Role to assume (optional)"
        value={awsRole}
        placeholder="arn:aws:iam::…"
        onChange={(text) => onChange({ awsRole: text })}
      />
      <TextField title="Profile (optional)" value={awsProfile} onChange={(text) => onChange({ awsProfile: text })} />
    </>
  );
}
