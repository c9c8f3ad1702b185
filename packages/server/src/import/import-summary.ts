// The summary that an import prints at its end.

import { iso } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import { formatCount, formatDuration } from '../ops/progress.ts';
import { gapLines, summaryLine } from '../ops/summary-lines.ts';
import { FORMATS } from './formats/registry.ts';
import { type ImportReport, SKIP_REASONS, type SkippedLines, type SkipReason } from './import-report.ts';
import type { ImportOutcome } from './run-import.ts';
import { percent } from './skip-rule.ts';

const MAX_LISTED_SYMBOLS = 3;
/** Removes float noise, which a mid price has. */
const cleanPrice = (price: number): number => Number(price.toPrecision(12));

export function importSummary(
  symbol: string,
  { report, written, sides, interrupted, spikesKept }: ImportOutcome,
  ms: number,
): string {
  const rate = formatCount(report.rows / Math.max(0.001, ms / 1000));
  const lines = [
    `${symbol}: ${formatCount(report.rows, 'row')} read from ${formatCount(report.files.length, 'file')} (${formatsOf(report)}) in ${formatDuration(ms)}, ${rate} rows/s`,
  ];
  const addLine = (name: string, text: string): number => lines.push(summaryLine(name, text));
  if (report.firstTime !== null) addLine('from', `${iso(report.firstTime)} to ${iso(report.lastTime!)}`);
  const kinds = [
    report.quotes > 0 ? formatCount(report.quotes, 'quote') : '',
    report.trades > 0 ? formatCount(report.trades, 'trade') : '',
    report.bars > 0 ? formatCount(report.bars, 'bar') : '',
  ].filter(Boolean);
  if (kinds.length > 0) addLine('read', kinds.join(', '));
  addLine(
    'written',
    `${formatCount(written.bars, 'bar')}, ${formatCount(written.ticks, 'tick')} in ${formatCount(written.minutes, 'tape minute')}`,
  );
  for (const [series, count] of written.otherSeries) {
    const [interval, align] = series.split('@');
    const days = !align ? '' : align === 'ny' ? ', of days that end at 17:00 in New York' : `, of days of ${align}`;
    const path = `/api/bars/${symbol}?interval=${interval}${align ? `&align=${align}` : ''}`;
    addLine('stored as', `${series}: ${formatCount(count, 'bar')}${days}. See them at ${path}`);
  }
  if (written.unchanged > 0) addLine('unchanged', `${formatCount(written.unchanged, 'tape minute')} already complete`);
  if (sides.byQuoteRule + sides.byTickRule > 0)
    addLine(
      'sides',
      `inferred: ${formatCount(sides.byQuoteRule)} by the quote rule, ${formatCount(sides.byTickRule)} by the tick rule`,
    );
  if (report.crossed > 0)
    addLine(
      'crossed',
      `${formatCount(report.crossed, 'quote')} with the bid above the ask: counted in bars, never published as quotes`,
    );
  if (written.spikes > 0) {
    const outcome = spikesKept ? 'imported: use --spike-percent N to skip them' : 'skipped';
    addLine('spikes', `${formatCount(written.spikes, 'tick')} far from the previous price, ${outcome}`);
    for (const { time, price, last } of written.firstSpikes)
      lines.push(`    ${iso(time)}  ${cleanPrice(price)} after ${cleanPrice(last)}`);
  }
  if (report.rounded > 0)
    addLine(
      'rounded',
      `${formatCount(report.rounded, 'row')} to the decimals of the instrument (${
        report.statedDigits === null
          ? '--digits N keeps more'
          : `the file states ${report.statedDigits}: --digits ${report.statedDigits} keeps them`
      })`,
    );
  if (report.outOfOrder > 0) addLine('order', `${formatCount(report.outOfOrder, 'row')} older than the previous row`);
  if (report.missingIds > 0) addLine('missing', formatCount(report.missingIds, 'trade id'));
  if (report.repeatedIds > 0)
    addLine('repeated', `${formatCount(report.repeatedIds, 'trade id')}: only the first of each was imported`);
  if (report.duplicates > 0)
    addLine(
      'duplicates',
      `${formatCount(report.duplicates, 'bar')} of the same time as another: the last one was imported`,
    );
  for (const name of report.ignored) addLine('ignored', `${name}: unknown format`);
  if (report.leftOut.size > 0) {
    const columns = [...report.leftOut].join(',');
    addLine(
      'left out',
      `columns with values: ${columns}. If that is right: --ignore-columns ${JSON.stringify(columns)}`,
    );
  }
  const faulty = report.faultyLines;
  if (faulty > 0) addLine('used', `${percent(report.rows / (report.rows + faulty))} of the rows`);
  addLine('skipped', formatCount(report.skippedLines, 'line'));
  for (const [reason, skipped] of report.skipped) lines.push(...skippedText(reason, skipped, report.files.length > 1));
  lines.push(...gapLines(report.gaps));
  if (interrupted) lines.push('Interrupted. Written data stays; run the same command again to continue.');
  return `${lines.join('\n')}\n`;
}

/** What was counted in files that were refused. */
export function refusalSummary(report: ImportReport): string {
  const used = percent(report.rows / Math.max(1, report.rows + report.faultyLines));
  const lines = [`${formatCount(report.rows, 'row')} can be used (${used}); nothing was stored`];
  for (const [reason, skipped] of report.skipped) lines.push(...skippedText(reason, skipped, report.files.length > 1));
  return `${lines.join('\n')}\n`;
}

/** How to see what was imported. `known`: the instruments of the service. */
export function nextSteps(
  imported: readonly InstrumentSpec[],
  known: readonly InstrumentSpec[],
  { feeds, data, port, database_url }: Pick<Config, 'feeds' | 'data' | 'port' | 'database_url'>,
): string {
  const live = feeds.filter((feed) => feed !== 'sim');
  const folder = database_url === null ? ` --data ${/[^\w./:-]/.test(data) ? JSON.stringify(data) : data}` : '';
  const finer = imported.filter(({ symbol, digits }) =>
    known.some((own) => own.symbol === symbol && own.digits < digits),
  );
  return [
    'Imported history belongs to the live markets. To see it, start the service with a live feed (push needs no account):',
    `  npx tickwire serve --feeds ${live.length > 0 ? live.join(',') : 'push'}${folder}`,
    ...imported
      .slice(0, MAX_LISTED_SYMBOLS)
      .map(
        ({ symbol }) => `  curl -H 'X-API-Key: <API_KEY>' 'http://127.0.0.1:${port}/api/market/${symbol}?timeframe=1d'`,
      ),
    ...finer.map(
      ({ symbol, digits }) =>
        `${symbol} is shown with fewer decimals until its instrument has them: npx tickwire instruments set ${symbol} --digits ${digits}`,
    ),
    '',
  ].join('\n');
}

function skippedText(reason: SkipReason, { count: times, examples }: SkippedLines, withFile: boolean): string[] {
  const where = examples.map(({ file, line }) => (withFile ? `${file}:${line}` : String(line))).join(', ');
  const more = times > examples.length ? ', …' : '';
  return [`    ${reason}: ${formatCount(times)}, ${SKIP_REASONS[reason]} (${withFile ? '' : 'line '}${where}${more})`];
}

function formatsOf(report: ImportReport): string {
  const names = new Set(report.files.map(({ format }) => format));
  const titles = FORMATS.filter(({ name }) => names.has(name)).map(({ title }) => title);
  return titles.join(', ') || 'none';
}
