// The results of a run as a flat list, for programs: what was checked against a target first, then every figure of every contender.
import { median } from '../measure/statistics.ts';
import type { Report } from '../results.ts';

export interface SummaryEntry {
  readonly label: string;
  /** The median of the rounds. */
  readonly value: number;
  readonly unit: string;
}

export function summarise({ sections }: Report): SummaryEntry[] {
  const entry = (label: string, unit: string, values: readonly number[]): SummaryEntry[] => {
    const value = median(values);
    return Number.isFinite(value) ? [{ label, value, unit }] : [];
  };
  const checked = sections.flatMap(({ verdicts }) =>
    verdicts.flatMap(({ what, unit, values }) => entry(what, unit, values)),
  );
  const figures = sections.flatMap(({ title, lines }) =>
    lines.flatMap((line) =>
      line.figures.flatMap(({ name, unit, values }) => entry(`${title}: ${line.contender}: ${name}`, unit, values)),
    ),
  );
  return [...checked, ...figures];
}
