import type { Stage } from './stage.ts';
import type { Flavour } from './crowd.ts';

/** What one figure of a workload is, and what we want of it. */
export interface Figure {
  readonly name: string;
  /** Unless it says `more`, less is better. */
  readonly better?: 'more';
  /** How many times better than the better Argo CD ours is to be. */
  readonly goal?: number;
  /** What ours is to stay at or below, whatever theirs is. */
  readonly limit?: number;
}

/** By the names of the workload's figures. */
export type Figures = Readonly<Record<string, number>>;

/** Something to do with an installation of a tool, and what is measured of it. */
export interface Workload {
  /** As it is asked for on the command line. */
  readonly name: string;
  readonly title: (scale: Scale) => string;
  /** How its applications are written. Workloads of one flavour and size share an installation, in the order in which they are listed. */
  readonly flavour: Flavour;
  /** Numbers of applications of a whole run. */
  readonly sizes: readonly number[];
  /** Other objects in the cluster, in a whole run. */
  readonly others?: number;
  readonly figures: readonly Figure[];
  /** What has to be there before, and is not measured. */
  prepare(stage: Stage): Promise<void>;
  measure(stage: Stage): Promise<Figures>;
}

/** How much of everything a run has. */
export interface Scale {
  readonly applications: number;
  readonly others: number;
  readonly idleSeconds: number;
}

/** One workload at one size. */
export interface Task {
  readonly workload: Workload;
  readonly scale: Scale;
}

/** A name for a task that stays the same from run to run. */
export function keyOf({ workload, scale }: Task): string {
  return `${workload.name}-${scale.applications}`;
}

/** To three digits: what comes after is noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
