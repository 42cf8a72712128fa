import type { ResourceKey } from '../resource-key.ts';

/** Which application an object belongs to, and which object the mark was made for. */
export interface TrackingId extends ResourceKey {
  readonly instanceName: string;
}

/** A mark that cannot be read; the message is what users are told. */
export class TrackingIdError extends Error {
  constructor() {
    super('wrong resource tracking format, should be <application-name>:<group>/<kind>:<namespace>/<name>');
    this.name = 'TrackingIdError';
  }
}

/** `web:apps/Deployment:prod/api`; the group of core kinds is empty. */
export function formatTrackingId({ instanceName, group, kind, namespace, name }: TrackingId): string {
  return `${instanceName}:${group}/${kind}:${namespace}/${name}`;
}

/** Throws TrackingIdError. A name may hold colons (roles do): only the first two divide. It is empty where it was made up afterwards. */
export function parseTrackingId(text: string): TrackingId {
  const [, instanceName = '', group = '', kind = '', namespace = '', name = ''] =
    /^([^:]*):([^/:]*)\/([^/:]*):([^/]*)\/([^/]*)$/.exec(text) ?? [];
  if (instanceName === '' || kind === '') throw new TrackingIdError();
  return { instanceName, group, kind, namespace, name };
}
