import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedHome, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import type { ResourceType } from '../../kube/index.ts';
import { definitionsVersion, definitionsVersionAnnotation } from '../../model/index.ts';
import { statusError, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { installDefinitions } from './install-definitions.ts';

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const names = ['applications.argoproj.io', 'appprojects.argoproj.io', 'applicationsets.argoproj.io'];
const [applications = ''] = names;

let home: EmbeddedHome;

beforeEach(async () => {
  home = await openEmbeddedHome();
});

afterEach(() => home.close());

const install = () => installDefinitions({ api: home.api, log: home.log });
const read = (name: string) => home.embedded.get(definitions, { name });
const remove = async (name: string) => {
  await home.embedded.delete(definitions, { name });
  await home.embedded.controllersIdle();
};

/** As another installation would have it: without our mark, and with this schema. */
function foreign(name: string, schema: JsonObject, version = 'v1alpha1'): KubeObject {
  const [plural = ''] = name.split('.');
  const kind = 'Application';
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'argoproj.io',
      names: { plural, kind, singular: 'application', listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } }],
    },
  };
}

async function mark(name: string, version: string): Promise<void> {
  const body = { metadata: { annotations: { [definitionsVersionAnnotation]: version } } };
  await home.embedded.patch(definitions, { name }, { type: 'merge', body });
}

describe('the definitions of our kinds', () => {
  it('are installed where they are missing, marked with their version, and then left alone', async () => {
    for (const name of names) await remove(name);
    await install();
    for (const name of names) {
      const { metadata } = await read(name);
      expect(metadata.annotations?.[definitionsVersionAnnotation]).toBe(String(definitionsVersion));
    }
    home.writes.length = 0;
    await install();
    expect(home.writes).toEqual([]);
  });

  it('are brought up to date where an older version of ours is', async () => {
    await remove(applications);
    await home.embedded.create(definitions, foreign(applications, { 'x-kubernetes-preserve-unknown-fields': true }));
    await mark(applications, String(definitionsVersion - 1));
    await install();
    const after = await read(applications);
    expect(after.metadata.annotations?.[definitionsVersionAnnotation]).toBe(String(definitionsVersion));
    expect(JSON.stringify(after['spec'])).toContain('syncPolicy');
  });

  it('are never brought back to an older version', async () => {
    await mark(applications, String(definitionsVersion + 1));
    const before = await read(applications);
    await install();
    expect(await read(applications)).toEqual(before);
  });

  it('are left as they are where somebody else installed them, with a word about what they lack', async () => {
    await remove(applications);
    const properties = { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const { metadata } = await home.embedded.create(definitions, foreign(applications, { properties }));
    await home.embedded.controllersIdle();
    const before = await read(applications);
    await install();
    expect(await read(applications)).toEqual(before);
    expect(before.metadata.uid).toBe(metadata.uid);
    expect(home.logged.join('')).toMatch(/lacks fields.*count=2 fields=\["\.status","\.operation"\]/);
  });

  it('cannot be used where they do not serve our version', async () => {
    await remove(applications);
    await home.embedded.create(definitions, foreign(applications, { 'x-kubernetes-preserve-unknown-fields': true }, 'v1beta1'));
    await expect(install()).rejects.toThrow(
      'the cluster has a definition applications.argoproj.io that we cannot use: it does not serve v1alpha1',
    );
  });

  it('need not be readable where their kinds are served, and are asked for where they are not', async () => {
    home.disturb = (call) => {
      if (call.includes('CustomResourceDefinition')) throw statusError('Forbidden', 'may not look');
    };
    await install();
    await remove(applications);
    await expect(install()).rejects.toThrow(
      'the cluster does not serve applications.argoproj.io, and it cannot be installed: may not look',
    );
  });
});
