import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../clusters/index.ts';
import type { DiscoveredResource } from '../../kube/index.ts';
import { findType } from './find-type.ts';

const widget = (version: string) => ({ group: 'corp.example', kind: 'Widget', version }) as DiscoveredResource;

function open({ known, served }: { readonly known: readonly string[]; readonly served: readonly string[] }) {
  let asked = 0;
  const cluster = {
    cache: {
      typeOf: ({ version }: { readonly version?: string }) => {
        const first = known.find((one) => one === version) ?? known[0];
        return first === undefined ? undefined : widget(first);
      },
    },
    api: {
      discover: () => {
        asked += 1;
        return Promise.resolve({ resources: served.map(widget), failures: [] });
      },
    },
  } as unknown as Cluster;
  const find = async (version: string) => (await findType(cluster, widget(version), new AbortController().signal)).version;
  return { find, asked: () => asked };
}

describe('The type of a kind', () => {
  it('is what the cache knows, without asking', async () => {
    const { find, asked } = open({ known: ['v1', 'v2'], served: [] });
    expect([await find('v1'), await find('v2'), asked()]).toEqual(['v1', 'v2', 0]);
  });

  it('is asked for where the cache does not know that version yet', async () => {
    const { find, asked } = open({ known: ['v1'], served: ['v1', 'v2'] });
    expect([await find('v2'), asked()]).toEqual(['v2', 1]);
  });

  it('is that of another version where the cluster serves no such one, and there is none for a kind that it does not serve', async () => {
    expect(await open({ known: ['v1'], served: ['v1'] }).find('v2')).toBe('v1');
    await expect(open({ known: [], served: [] }).find('v1')).rejects.toThrow('could not find corp.example/Widget');
  });
});
