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

export interface PrintableReport {
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly applications: readonly Verdict[];
}

/** The answer of `fairway shadow` for people: what does not agree, and how many do. */
export function formatShadowReport({ total, counts, applications }: PrintableReport): string {
  const lines = applications.filter(({ verdict }) => verdict !== 'agrees').flatMap((application) => describe(application));
  const sums = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  return `${[...lines, `${total} applications: ${sums.join(', ')}`].join('\n')}\n`;
}

function describe({ namespace, name, verdict, reason, disagreements }: Verdict): string[] {
  return [
    `${namespace}/${name}: ${verdict}${reason === '' ? '' : `, ${reason}`}`,
    ...disagreements.map(
      ({ aspect, subject, ours, theirs, reason: why }) =>
        `  ${aspect}${subject === '' ? '' : ` ${subject}`}: ours ${ours || 'nothing'}, theirs ${theirs || 'nothing'} (${why})`,
    ),
  ];
}
