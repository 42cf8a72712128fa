import { applicationType } from '../../../src/model/index.ts';
import type { Stage } from '../stage.ts';
import { listVersion, openWatch } from '../watch-stream.ts';
import { quantile, round, type Figures, type Workload } from '../workload.ts';

const CLIENTS = 100;
const CHANGES = 100;
const ROUNDS = 5;

export const watch: Workload = {
  name: 'watch',
  title: ({ applications }) =>
    `${CLIENTS} watching clients while ${Math.min(CHANGES, applications)} of ${applications} applications change`,
  flavour: 'plain',
  sizes: [1_000],
  figures: [
    { name: 'ms from the last change until the last client has seen it', goal: 5 },
    { name: 'seconds from the first change', goal: 5 },
  ],
  prepare: ({ settle }) => settle(),
  measure,
};

async function measure(stage: Stage): Promise<Figures> {
  const from = await listVersion(stage);
  /** What each client has seen of the round that is going on. */
  const seen = Array.from({ length: CLIENTS }, () => new Set<string>());
  let turn = 0;
  const streams = await Promise.all(seen.map((marks) => openWatch(stage, from, (text) => collectMarks(text, `turn-${turn}-`, marks))));
  try {
    const names = stage.crowd.names.slice(0, CHANGES);
    const lags: number[] = [];
    const wholes: number[] = [];
    for (; turn < ROUNDS; turn += 1) {
      for (const marks of seen) marks.clear();
      const startMs = performance.now();
      await stage.forEach(names, (name) => changeApplication(stage, name, `turn-${turn}-${name}`));
      const writtenMs = performance.now();
      const endMs = await stage.until(() => seen.every((marks) => marks.size === names.length), 120_000);
      lags.push(endMs - writtenMs);
      wholes.push((endMs - startMs) / 1_000);
    }
    return {
      'ms from the last change until the last client has seen it': round(quantile(lags, 0.5)),
      'seconds from the first change': round(quantile(wholes, 0.5)),
    };
  } finally {
    for (const stream of streams) stream.close();
  }
}

async function changeApplication({ contender: { api } }: Stage, name: string, mark: string): Promise<void> {
  const body = { metadata: { labels: { 'bench-mark': mark } } };
  await api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
}

/** Without reading the JSON: a hundred clients on this side would otherwise be what is measured. */
function collectMarks(text: string, prefix: string, marks: Set<string>): void {
  for (const [, mark = ''] of text.matchAll(/"bench-mark":"([^"]+)"/g)) if (mark.startsWith(prefix)) marks.add(mark);
}
