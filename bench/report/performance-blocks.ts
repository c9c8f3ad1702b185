// The blocks of docs/performance.md as Markdown, from the report of a run.
import type { Report, ReportRow, ReportSection } from '../results.ts';
import { MEMORY_TITLE } from '../scenarios/memory.ts';
import { checkTarget, formatRange, isClose } from './check-target.ts';
import { linePlotFile } from './line-plot.ts';

/** Sections of the scenario `brokers` start with this. */
const BROKERS = 'Brokers: ';
const DISTURBED = 'DISTURBED';
/** Columns of the tables: the figure of the report, and the heading. */
const COLUMNS = [
  ['server CPU seconds per million deliveries', 'CPU seconds per million deliveries'],
  ['server CPU', 'share of the core'],
  ['deliveries/s', 'deliveries/s'],
  ['p50', 'p50'],
  ['p99', 'p99'],
] as const;

export interface ChartFile {
  readonly title: string;
  readonly name: string;
  readonly svg: string;
}

const brokersOf = ({ sections }: Report): ReportSection[] => sections.filter(({ title }) => title.startsWith(BROKERS));

export const runSummary = ({ startedAt, machine, versions, options, pinning }: Report): string =>
  `${startedAt.slice(0, 10)}: ${machine}; ${versions}; ${pinning}; ${options}.`;

export const disturbedNotes = (report: Report): string[] =>
  brokersOf(report).flatMap(({ title, notes }) =>
    notes.filter((note) => note.startsWith(DISTURBED)).map((note) => `${title}: ${note}`),
  );

/** Sections of all other scenarios. */
const othersOf = ({ sections }: Report): ReportSection[] => sections.filter(({ title }) => !title.startsWith(BROKERS));

export const hasBrokers = (report: Report): boolean => brokersOf(report).length > 0;

export const brokersTargets = (report: Report): string => targetsTable(brokersOf(report));

/** Targets of the other scenarios; `null` if none of them ran. */
export const otherTargets = (report: Report): string | null =>
  othersOf(report).length > 0 ? targetsTable(othersOf(report)) : null;

/** What memory consists of; `null` if it was not measured. */
export function memoryTable(report: Report): string | null {
  const section = report.sections.find(({ title }) => title === MEMORY_TITLE);
  if (!section) return null;
  const rows = section.lines.map(({ contender, figures }) => [
    contender,
    ...figures.map(({ values, unit }) => formatRange(values, unit)),
  ]);
  return [table(['', 'resident', 'added'], rows), ...section.notes].join('\n\n');
}

function targetsTable(sections: readonly ReportSection[]): string {
  const rows = sections.flatMap(({ verdicts }) =>
    verdicts
      .filter(({ bar }) => bar !== null)
      .map((verdict) => {
        const why = verdict.unjudged ?? verdict.caveat ?? null;
        const close = isClose(verdict) && verdict.unjudged === null ? ' (rounds on both sides)' : '';
        const result = `${checkTarget(verdict)}${close}${why === null ? '' : `: ${why}`}`;
        return [
          verdict.what.replace(/^brokers, /, ''),
          formatRange(verdict.values, verdict.unit),
          verdict.bar!.text,
          result,
        ];
      }),
  );
  return table(['measured', 'median (range)', 'target', 'result'], rows);
}

export function brokersTables(report: Report): string {
  return brokersOf(report)
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines, notes }) =>
      [
        `### ${title.slice(BROKERS.length)}`,
        table(['', ...COLUMNS.map(([, heading]) => heading)], lines.map(rowOf)),
        ...notes.filter((note) => / carried \d+ % /.test(note) || note.startsWith(DISTURBED)),
      ].join('\n\n'),
    )
    .join('\n\n');
}

export const brokersCharts = (report: Report): ChartFile[] =>
  brokersOf(report)
    .flatMap(({ charts = [] }) => charts)
    // A line needs two loads.
    .filter(({ marks }) => marks.length > 1)
    .map((chart) => ({ title: `${chart.title}, ${chart.unit}`, name: fileName(chart.title), svg: linePlotFile(chart) }))
    .filter(({ svg }) => svg !== '');

function rowOf({ contender, missing, figures }: ReportRow): string[] {
  if (missing !== null) return [contender, missing, ...COLUMNS.slice(1).map(() => '')];
  return [
    contender,
    ...COLUMNS.map(([name]) => {
      const figure = figures.find((candidate) => candidate.name === name);
      // A figure that does not count is `null` in the report.
      const counts = figure?.values.every((value) => Number.isFinite(value));
      return figure && counts ? formatRange(figure.values, figure.unit) : '–';
    }),
  ];
}

const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const fileName = (title: string): string => `performance-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`;
