// The results of a run: sections with figures per contender, and checks of these figures against a target.
import type { Target } from './targets.ts';

/** One measured quantity of one contender, one value per round. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
}

export interface ReportRow {
  readonly contender: string;
  /** Reason why there are no figures. */
  readonly missing: string | null;
  readonly figures: readonly Figure[];
}

/** A ratio or figure that is checked against a target, one value per round. */
export interface TargetCheck {
  readonly what: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly bar: Target | null;
  /** Reason why it was not measured or cannot be checked against the target. */
  readonly unjudged: string | null;
  /** A remark shown beside the result. */
  readonly caveat?: string | null;
}

/** A line chart with logarithmic axes. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Ticks of the x axis with their labels. */
  readonly marks: readonly (readonly [x: number, label: string])[];
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly ours: boolean;
}

export interface ReportSection {
  readonly title: string;
  readonly charts?: readonly Chart[];
  readonly lines: readonly ReportRow[];
  readonly verdicts: readonly TargetCheck[];
  readonly notes: readonly string[];
}

export interface Report {
  readonly startedAt: string;
  readonly seconds: number;
  readonly machine: string;
  readonly versions: string;
  readonly options: string;
  readonly pinning: string;
  readonly sections: readonly ReportSection[];
}

export type TargetResult = 'met' | 'not met' | 'not judged' | 'no bar';
