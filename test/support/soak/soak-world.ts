/** What the repository of a soak says, kept beside it as values: in the end the cluster is held against this, and not against what we render. */
import type { SeededRandom } from '../seeded-random.ts';
import type { FileChanges, GitRepository } from '../git-repository.ts';

export type SoakFlavour = 'plain' | 'kustomize' | 'helm';

export interface SoakApplication {
  readonly name: string;
  readonly flavour: SoakFlavour;
  /** Where it goes: the cluster that is the home, or the same one over a road that breaks now and then. */
  readonly road: 'near' | 'far';
  /** One that is not waits for somebody to sync it, and can be rolled back. */
  readonly isAutomated: boolean;
}

/** What the newest commit wants of an application. */
export interface Wanted {
  readonly replicas: number;
  /** The value in each ConfigMap, by its name. */
  readonly maps: ReadonlyMap<string, string>;
}

const MAPS_MAX = 5;

export class SoakWorld {
  readonly applications: readonly SoakApplication[];
  /** The folders that an application set may make applications of. */
  readonly members: readonly string[];
  readonly #repository: GitRepository;
  readonly #wanted = new Map<string, Wanted>();
  #commits = 0;
  /** One commit at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(repository: GitRepository, options: { readonly applications: number; readonly members: number }) {
    this.#repository = repository;
    this.applications = Array.from({ length: options.applications }, (_, index) => ({
      name: `soak-${index}`,
      flavour: index % 6 === 4 ? 'kustomize' : index % 6 === 5 ? 'helm' : 'plain',
      road: index % 2 === 0 ? 'near' : 'far',
      isAutomated: index % 4 !== 3,
    }));
    this.members = Array.from({ length: options.members }, (_, index) => `member-${index}`);
  }

  async begin(): Promise<void> {
    const changes: Record<string, FileChanges[string]> = {};
    for (const name of [...this.applications.map((application) => application.name), ...this.members])
      Object.assign(changes, this.#plan(name, { replicas: 1, maps: new Map([[`${name}-0`, 'first']]) }));
    await this.#repository.commit(changes);
  }

  wantedOf(name: string): Wanted {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) throw new Error(`nothing is known of ${name}`);
    return wanted;
  }

  head(): Promise<string> {
    return this.#repository.git('rev-parse', 'HEAD');
  }

  /** Changes, adds or removes something of one application, and answers with its name. */
  change(random: SeededRandom): Promise<string> {
    const change = async (): Promise<string> => {
      const name = random.pick([...this.applications.map((application) => application.name), ...this.members]);
      const before = this.wantedOf(name);
      const maps = new Map(before.maps);
      const choice = random.next();
      const own = random.pick([...maps.keys()]);
      this.#commits += 1;
      if (choice < 0.2 && maps.size > 1) maps.delete(own);
      else if (choice < 0.4 && maps.size < MAPS_MAX) maps.set(`${name}-${this.#commits}`, `added ${this.#commits}`);
      else maps.set(own, `changed ${this.#commits}`);
      const replicas = choice > 0.85 ? 1 + random.below(2) : before.replicas;
      await this.#repository.commit(this.#plan(name, { replicas, maps }));
      return name;
    };
    const next = this.#last.then(change);
    this.#last = next.catch(() => undefined);
    return next;
  }

  #plan(name: string, wanted: Wanted): FileChanges {
    const flavour = this.applications.find((application) => application.name === name)?.flavour ?? 'plain';
    const before = this.#wanted.get(name);
    this.#wanted.set(name, wanted);
    const removed = [...(before?.maps.keys() ?? [])].filter((map) => !wanted.maps.has(map));
    const gone = Object.fromEntries(removed.map((map) => [`${name}/${map}.json`, undefined]));
    return { ...(flavour === 'helm' ? {} : gone), ...FILES[flavour](name, wanted) };
  }
}

const FILES: Record<SoakFlavour, (name: string, wanted: Wanted) => FileChanges> = {
  plain: plainFiles,
  kustomize: (name, wanted) => ({
    ...plainFiles(name, wanted),
    [`${name}/kustomization.yaml`]: JSON.stringify({
      resources: ['deployment.json', ...[...wanted.maps.keys()].map((map) => `${map}.json`)],
      labels: [{ pairs: { team: name } }],
    }),
  }),
  helm: (name, { replicas, maps }) => ({
    [`${name}/Chart.yaml`]: JSON.stringify({ apiVersion: 'v2', name: 'soak', version: '1.0.0' }),
    [`${name}/values.yaml`]: JSON.stringify({ replicas, maps: Object.fromEntries(maps) }),
    [`${name}/templates/deployment.yaml`]: JSON.stringify(deployment(name, 777)).replace('777', '{{ .Values.replicas }}'),
    [`${name}/templates/maps.yaml`]:
      '{{- range $name, $value := .Values.maps }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ $name }}\n' +
      'data:\n  value: {{ $value | quote }}\n{{- end }}\n',
  }),
};

function plainFiles(name: string, { replicas, maps }: Wanted): FileChanges {
  const configMaps = [...maps].map(([map, value]): [string, string] => [
    `${name}/${map}.json`,
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map }, data: { value } }),
  ]);
  return { [`${name}/deployment.json`]: JSON.stringify(deployment(name, replicas)), ...Object.fromEntries(configMaps) };
}

function deployment(name: string, replicas: number): object {
  const labels = { app: name };
  const containers = [{ name: 'web', image: 'example.com/web:1' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}
