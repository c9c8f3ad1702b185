// The result of a comparison as text for a terminal. Every row says in words which side is better.
import { median } from '../measure/statistics.ts';
import { formatFigure, formatRange } from '../report/check-target.ts';
import { grid } from '../report/table.ts';
import { OURS } from '../scenarios/scenario.ts';
import type { ComparedFigure, Comparison } from './comparison.ts';
import { labelOf } from './comparison.ts';

/** What compare.json contains. */
export interface ComparisonReport extends Comparison {
  readonly startedAt: string;
  readonly seconds: number;
  readonly machine: string;
  readonly pinning: string;
  readonly present: SideSummary;
  readonly other: SideSummary;
  /** Files of the measuring code that differ between both sides. */
  readonly differingMeasuringCode: readonly string[];
  readonly scenarios: readonly string[];
  readonly rounds: number;
  readonly quick: boolean;
  /** Percent; `null` without `--max-loss`. */
  readonly maxLoss: number | null;
  /** Turns in which the benchmark found that other programs disturbed it, of all turns. */
  readonly disturbedTurns: number;
  readonly turns: number;
  /** Scenarios that failed on a side; they are not compared. */
  readonly failures: readonly string[];
}

export interface SideSummary {
  readonly commit: string;
  /** Versions of the runtime. */
  readonly versions: string;
}

/** Differences below this are shown as equal. */
const EQUAL_PERCENT = 0.05;
const MOST_FILES = 5;

/** Reasons for an exit status other than 0. */
export function problemsOf(report: ComparisonReport): string[] {
  const { failures, figures, maxLoss } = report;
  return [
    ...failures,
    ...(figures.length === 0 ? ['nothing was compared'] : []),
    ...figures
      .filter((figure) => isTooMuch(figure, maxLoss))
      .map((figure) => `worse by more than ${maxLoss} %: ${labelOf(figure)}: ${differenceText(figure)}`),
  ];
}

const isTooMuch = ({ lossPercent }: ComparedFigure, maxLoss: number | null): boolean =>
  maxLoss !== null && lossPercent > maxLoss;

function differenceText({ lossPercent, isClear, ratios }: ComparedFigure): string {
  const size = Math.abs(lossPercent);
  if (size < EQUAL_PERCENT) return 'equal';
  const found = `${size.toFixed(1)} % ${lossPercent > 0 ? 'WORSE' : 'better'}`;
  return isClear || ratios.length === 1 ? found : `${found}, not clear: rounds on both sides`;
}

export function renderComparison(report: ComparisonReport): string {
  const { present, other, figures, notCompared, rounds, quick, turns, disturbedTurns } = report;
  const sections = [...new Set(figures.map(({ section }) => section))];
  const problems = problemsOf(report);
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line.replaceAll('\n', '\n    ')}`)];
  return [
    '',
    `this: ${present.commit} (${present.versions})`,
    `other: ${other.commit} (${other.versions})`,
    `${report.machine} · ${report.pinning} · ${rounds} ${quick ? 'of the shortest ' : ''}turns of each side · ${Math.round(report.seconds)} s`,
    measuringCodeText(report.differingMeasuringCode),
    ...(disturbedTurns === 0 ? [] : [`DISTURBED by other programs in ${disturbedTurns} of ${turns} turns.`]),
    ...sections.flatMap((section) => [
      '',
      '',
      section,
      '',
      ...grid([
        ['median of the rounds', 'this', 'other', 'this / other, range', 'better is', 'this is'],
        ...figures.filter((figure) => figure.section === section).map(cellsOf),
      ]),
    ]),
    '',
    ...list('Not compared', notCompared),
    ...list('FAILED', problems),
    '',
  ].join('\n');
}

function cellsOf(figure: ComparedFigure): string[] {
  const { contender, name, unit, better, present, other, ratios } = figure;
  return [
    contender === OURS ? name : `${contender}: ${name}`,
    formatFigure(median(present), unit),
    formatFigure(median(other), unit),
    formatRange(ratios, '×'),
    better,
    differenceText(figure),
  ];
}

function measuringCodeText(files: readonly string[]): string {
  const each = 'Each side is measured by the bench/ of its own commit';
  if (files.length === 0) return `${each}; the measuring code is the same.`;
  const names = files.slice(0, MOST_FILES).join(', ');
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
  return `${each}. THE MEASURING CODE DIFFERS, and can be the cause of a difference: ${names}${more}`;
}
