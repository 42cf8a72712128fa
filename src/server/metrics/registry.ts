/** A small registry of metrics that is read as Prometheus text. */

/** Series kept of one metric. Label values that come from outside must not be able to fill the memory. */
const seriesMax = 2_000;
const overflow = 'other';
const separator = '\u0000';

export interface Counter {
  /** One value for each label, in their order. */
  add(amount: number, ...labelValues: string[]): void;
  /** The same for labels that come again and again: finding them by their values costs more than counting. */
  at(...labelValues: string[]): { add(amount: number): void };
}

export interface Histogram {
  at(...labelValues: string[]): { observe(value: number): void };
}

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
}

/** Label values, joined, to what is measured now. */
export type Samples = ReadonlyMap<string, number>;

export interface Registry {
  counter(description: MetricDescription & { readonly labels: readonly string[]; readonly seriesMax?: number }): Counter;
  histogram(description: MetricDescription & { readonly labels: readonly string[]; readonly buckets: readonly number[] }): Histogram;
  /** A value that is looked up when the metrics are read: `label` is the one label of a map's keys. */
  read(
    description: MetricDescription & {
      readonly type: 'gauge' | 'counter';
      readonly label?: string;
      readonly value: () => number | Samples;
    },
  ): void;
  /** The same with several labels: each row has one value for each of them, in their order. */
  readRows(
    description: MetricDescription & {
      readonly type: 'gauge' | 'counter';
      readonly labels: readonly string[];
      readonly rows: () => Iterable<readonly [labelValues: readonly string[], value: number]>;
    },
  ): void;
  render(): string;
}

export function createRegistry(): Registry {
  const families: (() => string)[] = [];

  return {
    counter({ name, help, labels, seriesMax: most = seriesMax }) {
      const series = createSeries(labels, () => ({ value: 0 }), most);
      // What never happened is shown as zero, so that the first time is a change.
      if (labels.length === 0) series.find([]);
      families.push(() => {
        const lines = series.list().map(([text, state]) => `${name}${braces(text)} ${state.value}\n`);
        return header(name, help, 'counter') + lines.join('');
      });
      return {
        add: (amount, ...labelValues) => void (series.find(labelValues).value += amount),
        at(...labelValues) {
          const state = series.find(labelValues);
          return { add: (amount) => void (state.value += amount) };
        },
      };
    },

    histogram({ name, help, labels, buckets }) {
      const series = createSeries(labels, () => ({ counts: buckets.map(() => 0), count: 0, sum: 0 }));
      families.push(
        () =>
          header(name, help, 'histogram') +
          series
            .list()
            .map(([text, state]) => renderHistogram(name, text, buckets, state))
            .join(''),
      );
      return {
        at(...labelValues) {
          const state = series.find(labelValues);
          return { observe: (value) => observe(state, buckets, value) };
        },
      };
    },

    read({ name, help, type, label, value }) {
      families.push(() => {
        const current = value();
        const samples =
          typeof current === 'number'
            ? [['', current] as const]
            : [...current].map(([key, sample]) => [formatLabel(label ?? 'name', key), sample] as const);
        return header(name, help, type) + samples.map(([text, sample]) => `${name}${braces(text)} ${sample}\n`).join('');
      });
    },

    readRows({ name, help, type, labels, rows }) {
      families.push(() => {
        let text = header(name, help, type);
        for (const [values, sample] of rows()) text += `${name}${braces(formatLabels(labels, values))} ${sample}\n`;
        return text;
      });
    },

    render: () => families.map((render) => render()).join(''),
  };
}

interface HistogramState {
  /** How many values fell into each bucket and no lower one. */
  readonly counts: number[];
  count: number;
  sum: number;
}

function observe(state: HistogramState, buckets: readonly number[], value: number): void {
  state.count += 1;
  state.sum += value;
  const bucket = buckets.findIndex((upperBound) => value <= upperBound);
  if (bucket !== -1) state.counts[bucket] = (state.counts[bucket] ?? 0) + 1;
}

function renderHistogram(name: string, text: string, buckets: readonly number[], state: HistogramState): string {
  let cumulative = 0;
  const lines = buckets.map((upperBound, index) => {
    cumulative += state.counts[index] ?? 0;
    return `${name}_bucket${braces(joinLabels(text, `le="${upperBound}"`))} ${cumulative}\n`;
  });
  lines.push(`${name}_bucket${braces(joinLabels(text, 'le="+Inf"'))} ${state.count}\n`);
  lines.push(`${name}_sum${braces(text)} ${state.sum}\n`, `${name}_count${braces(text)} ${state.count}\n`);
  return lines.join('');
}

function createSeries<State>(labels: readonly string[], create: () => State, most = seriesMax) {
  const byKey = new Map<string, { readonly text: string; readonly state: State }>();

  function add(key: string, labelValues: readonly string[]): State {
    if (byKey.size >= most && !labelValues.every((value) => value === overflow)) return find(labels.map(() => overflow));
    const text = formatLabels(labels, labelValues);
    const state = create();
    byKey.set(key, { text, state });
    return state;
  }

  function find(labelValues: readonly string[]): State {
    const key = labelValues.join(separator);
    return byKey.get(key)?.state ?? add(key, labelValues);
  }

  return { find, list: () => [...byKey.values()].map(({ text, state }): [string, State] => [text, state]) };
}

function header(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function formatLabels(labels: readonly string[], values: readonly string[]): string {
  return labels.map((label, index) => formatLabel(label, values[index] ?? '')).join(',');
}

function formatLabel(label: string, value: string): string {
  return `${label}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function joinLabels(text: string, more: string): string {
  return text === '' ? more : `${text},${more}`;
}

function braces(text: string): string {
  return text === '' ? '' : `{${text}}`;
}
