interface Verdict {
  readonly namespace: string;
  readonly name: string;
  readonly verdict: string;
  readonly reason: string;
  readonly disagreements: readonly {
    readonly aspect: string;
    readonly subject: string;
    readonly ours: string;
    readonly theirs: string;
    readonly reason: string;
  }[];
}

interface Counted {
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface PrintableReport extends Counted {
  readonly applications: readonly Verdict[];
  readonly sets: Counted & { readonly applicationSets: readonly Verdict[] };
}

/** The answer of `fairway shadow` for people: what does not agree, and how many do. */
export function formatShadowReport({ applications, sets, ...counted }: PrintableReport): string {
  const lines = [
    ...applications.flatMap((application) => describe('', application)),
    ...sets.applicationSets.flatMap((set) => describe('application set ', set)),
    count('application', counted),
    ...(sets.total === 0 ? [] : [count('application set', sets)]),
  ];
  return `${lines.join('\n')}\n`;
}

function count(what: string, { total, counts }: Counted): string {
  const sums = Object.entries(counts).map(([verdict, number]) => `${number} ${verdict}`);
  return `${total} ${what}${total === 1 ? '' : 's'}: ${sums.join(', ')}`;
}

/** What agrees needs no line. */
function describe(what: string, { namespace, name, verdict, reason, disagreements }: Verdict): string[] {
  if (verdict === 'agrees') return [];
  return [
    `${what}${namespace}/${name}: ${verdict}${reason === '' ? '' : `, ${reason}`}`,
    ...disagreements.map((one) => `  ${describeOne(one)}`),
  ];
}

/** Where what we say is the reason itself, it is not said twice. */
function describeOne({ aspect, subject, ours, theirs, reason }: Verdict['disagreements'][number]): string {
  const what = subject === '' ? aspect : `${aspect} ${subject}`;
  return `${what}: ours ${ours || 'nothing'}, theirs ${theirs || 'nothing'}${reason === ours ? '' : ` (${reason})`}`;
}
