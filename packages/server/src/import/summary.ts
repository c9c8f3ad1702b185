// What an import says at its end.
import { FORMATS } from './formats/registry.ts';
import { count, duration } from './progress.ts';
import { type ImportReport, SKIP_REASONS, type SkipReason } from './report.ts';
import type { ImportOutcome } from './run.ts';

const SHOWN_GAPS = 5;
const iso = (time: number): string => new Date(time).toISOString();
/** The middle of a quote has float noise. */
const plain = (price: number): number => Number(price.toPrecision(12));
const plural = (value: number, one: string, more = `${one}s`): string => `${count(value)} ${value === 1 ? one : more}`;

export function summary(
  symbol: string,
  { report, written, sides, interrupted, spikesKept }: ImportOutcome,
  ms: number,
): string {
  const rate = count(report.rows / Math.max(0.001, ms / 1000));
  const lines = [
    `${symbol}: ${plural(report.rows, 'row')} read from ${plural(report.files.length, 'file')} (${formatsOf(report)}) in ${duration(ms)}, ${rate} rows/s`,
  ];
  const tell = (name: string, text: string): number => lines.push(`  ${name.padEnd(10)} ${text}`);
  if (report.firstTime !== null) tell('from', `${iso(report.firstTime)} to ${iso(report.lastTime!)}`);
  const kinds = [
    report.quotes > 0 ? plural(report.quotes, 'quote') : '',
    report.trades > 0 ? plural(report.trades, 'trade') : '',
    report.bars > 0 ? plural(report.bars, 'bar') : '',
  ].filter(Boolean);
  if (kinds.length > 0) tell('read', kinds.join(', '));
  tell(
    'written',
    `${plural(written.bars, 'bar')}, ${plural(written.ticks, 'tick')} in ${plural(written.minutes, 'tape minute')}`,
  );
  if (written.unchanged > 0) tell('unchanged', `${plural(written.unchanged, 'tape minute')} had all of it already`);
  if (sides.byQuoteRule + sides.byTickRule > 0)
    tell(
      'sides',
      `not told by the source: ${count(sides.byQuoteRule)} by the quote rule, ${count(sides.byTickRule)} by the tick rule`,
    );
  if (report.crossed > 0)
    tell(
      'crossed',
      `${plural(report.crossed, 'quote')} with the bid above the ask: counted in bars, never shown as a quote`,
    );
  if (written.spikes > 0) {
    const fate = spikesKept ? 'counted as they are: --spike-percent N keeps such ticks out' : 'kept out';
    tell('jumps', `${plural(written.spikes, 'tick')} far from the price before, ${fate}`);
    for (const { time, price, last } of written.firstSpikes)
      lines.push(`    ${iso(time)}  ${plain(price)} after ${plain(last)}`);
  }
  if (report.rounded > 0) tell('rounded', `${plural(report.rounded, 'row')} to the digits of the instrument`);
  if (report.outOfOrder > 0) tell('order', `${plural(report.outOfOrder, 'row')} older than the row before`);
  if (report.missingIds > 0) tell('missing', plural(report.missingIds, 'trade id'));
  if (report.repeatedIds > 0) tell('repeated', `${plural(report.repeatedIds, 'trade id')}: the first of each counts`);
  for (const name of report.ignored) tell('ignored', `${name}: no format reads it`);
  tell('skipped', plural(report.skippedLines, 'line'));
  for (const [reason, skipped] of report.skipped) lines.push(...skippedLines(reason, skipped, report.files.length > 1));
  const { count: gaps, longest } = report.gaps;
  tell(
    'gaps',
    gaps === 0 ? 'none while the market was open' : `${count(gaps)} while the market was open, the longest:`,
  );
  for (const { from, to, openMs } of longest.slice(0, SHOWN_GAPS))
    lines.push(`    ${iso(from)} to ${iso(to)}  ${duration(openMs)}`);
  if (interrupted) lines.push('Interrupted: what is written stays. The same command again goes on from there.');
  return `${lines.join('\n')}\n`;
}

function skippedLines(reason: SkipReason, { count: times, examples }: SkippedLines, named: boolean): string[] {
  const where = examples.map(({ file, line }) => (named ? `${file}:${line}` : String(line))).join(', ');
  const more = times > examples.length ? ', …' : '';
  return [`    ${reason}: ${count(times)}, ${SKIP_REASONS[reason]} (${named ? '' : 'line '}${where}${more})`];
}

type SkippedLines = NonNullable<ReturnType<ImportReport['skipped']['get']>>;

function formatsOf(report: ImportReport): string {
  const names = new Set(report.files.map(({ format }) => format));
  const titles = FORMATS.filter(({ name }) => names.has(name)).map(({ title }) => title);
  return titles.join(', ') || 'none read';
}
