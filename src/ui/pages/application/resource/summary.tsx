import type { ReactElement } from 'react';
import { Badge, Copy, ExternalLink, Status, TimeAgo, UserText } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';

/** What there is to know at a glance. */
export function ResourceSummary({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { group, version, kind, namespace, name, health, healthMessage, sync, images, info, createdAt, node } = resource;
  const addresses = node?.networkingInfo?.externalURLs ?? [];
  return (
    <dl className="facts">
      <dt>Kind</dt>
      <dd>
        {kind} <span className="faint">{[group, version].filter(Boolean).join('/')}</span>
      </dd>
      <dt>Name</dt>
      <dd>
        {name} <Copy text={name} label="Copy the name" />
      </dd>
      {namespace !== '' && (
        <>
          <dt>Namespace</dt>
          <dd>{namespace}</dd>
        </>
      )}
      {sync !== undefined && (
        <>
          <dt>Sync</dt>
          <dd>
            <Status kind="sync" value={sync} />
            {resource.requiresPruning && <Badge tone="warn">no longer declared</Badge>}
          </dd>
        </>
      )}
      {health !== undefined && (
        <>
          <dt>Health</dt>
          <dd>
            <Status kind="health" value={health} />
            {healthMessage !== undefined && healthMessage !== '' && (
              <p className="soft">
                <UserText>{healthMessage}</UserText>
              </p>
            )}
          </dd>
        </>
      )}
      {createdAt != null && (
        <>
          <dt>Created</dt>
          <dd>
            <TimeAgo time={createdAt} />
          </dd>
        </>
      )}
      {images.length > 0 && (
        <>
          <dt>Images</dt>
          <dd>
            {images.map((image) => (
              <div key={image} className="mono">
                {image} <Copy text={image} label={`Copy ${image}`} />
              </div>
            ))}
          </dd>
        </>
      )}
      {info.map((item) => (
        <Fact key={item.name} name={item.name ?? ''} value={item.value ?? ''} />
      ))}
      {addresses.length > 0 && (
        <>
          <dt>Addresses</dt>
          <dd>
            {addresses.map((address) => (
              <div key={address}>
                <ExternalLink href={address} />
              </div>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <>
      <dt>
        <UserText>{name}</UserText>
      </dt>
      <dd>
        <UserText>{value}</UserText>
      </dd>
    </>
  );
}
