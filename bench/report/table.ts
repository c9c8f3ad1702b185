// The report as text for a terminal.
import { median } from '../measure/statistics.ts';
import type { Report, ReportRow, ReportSection, TargetCheck } from '../results.ts';
import { checkTarget, formatFigure, formatRange, isClose } from './check-target.ts';

export function renderText(report: Report): string {
  return [
    '',
    `${report.machine} · ${report.versions}`,
    `${report.pinning} · ${report.options} · ${Math.round(report.seconds)} s`,
    ...report.sections.map(sectionText),
    '',
    'Against the targets (median of the rounds, with their range)',
    '',
    ...grid([
      ['work', 'found', 'target', ''],
      ...report.sections.flatMap(({ verdicts }) => verdicts.map(verdictCells)),
    ]),
    '',
  ].join('\n');
}

function sectionText({ title, lines, notes }: ReportSection): string {
  const names = lines.find(({ figures }) => figures.length > 0)?.figures.map(({ name }) => name) ?? [];
  // With many figures, use one row per figure and one column per contender.
  const rows = names.map((name) => [name, ...lines.map((line) => cellOf(line, name))]);
  const table = [['', ...lines.map(({ contender }) => contender)], ...rows];
  const turned = names.length < lines.length ? transpose(table) : table;
  const missing = lines.flatMap(({ contender, missing: why }) => (why === null ? [] : [`  ${contender}: ${why}`]));
  const figures = names.length > 0 ? ['', ...grid(turned)] : [];
  return ['', '', title, ...figures, ...missing, ...notes.map((note) => `  · ${note}`)].join('\n');
}

function cellOf({ figures }: ReportRow, name: string): string {
  const figure = figures.find((candidate) => candidate.name === name);
  return figure && figure.values.length > 0 ? formatFigure(median(figure.values), figure.unit) : '–';
}

function verdictCells(verdict: TargetCheck): string[] {
  const judgement = checkTarget(verdict);
  const close = isClose(verdict) && judgement !== 'not judged' ? ' (close: rounds on both sides)' : '';
  const label = judgement === 'no bar' ? '' : `${judgement}${close}`;
  const why = verdict.unjudged === null || label === '' ? '' : `; ${verdict.unjudged}`;
  const but = verdict.caveat && verdict.unjudged === null && label !== '' ? `; ${verdict.caveat}` : '';
  return [verdict.what, formatRange(verdict.values, verdict.unit), verdict.bar?.text ?? '', `${label}${why}${but}`];
}

const transpose = (table: readonly string[][]): string[][] =>
  table[0]!.map((_, column) => table.map((row) => row[column]!));

/** Aligned columns: the first to the left, numbers to the right. */
export function grid(table: readonly string[][]): string[] {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
}
