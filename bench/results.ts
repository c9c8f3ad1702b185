// What a run of the benchmark finds: sections of figures by contender, and verdicts that set them against a bar.
import type { Bar } from './bars.ts';

/** One measured quantity of one contender, a value for each round. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** Drawn as a plot; others stand only in the table. */
  readonly plotted: boolean;
}

export interface Line {
  readonly contender: string;
  /** Why there are no figures. */
  readonly missing: string | null;
  readonly figures: readonly Figure[];
}

/** A ratio or a figure that a bar asks about, a value for each round. */
export interface Verdict {
  readonly what: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly bar: Bar | null;
  /** Why it was not measured, or why it cannot be judged by the bar. */
  readonly unjudged: string | null;
  /** What must be known beside the judgement. */
  readonly caveat?: string | null;
}

/** Something over something else, drawn as lines. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Where the axis below has its marks, and what they say. */
  readonly marks: readonly (readonly [x: number, label: string])[];
  /** Which axes go by ratios instead of differences. */
  readonly log: 'none' | 'x' | 'both';
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly ours: boolean;
  /** Where several are ours, the less important ones. */
  readonly dashed?: boolean;
}

export interface Section {
  readonly title: string;
  readonly charts?: readonly Chart[];
  readonly lines: readonly Line[];
  readonly verdicts: readonly Verdict[];
  readonly notes: readonly string[];
}

export interface Report {
  readonly startedAt: string;
  readonly seconds: number;
  readonly machine: string;
  readonly versions: string;
  readonly options: string;
  readonly pinning: string;
  readonly sections: readonly Section[];
}

export type Judgement = 'met' | 'not met' | 'not judged' | 'no bar';
