// `tickwire import --dry-run`: runs the import against a store that keeps nothing, and shows what would be stored.

import { iso } from '@tickwire/contract';
import type { Bar, InstrumentSpec, PriceEvent } from '@tickwire/engine';
import { formatCount } from '../../ops/progress.ts';
import { summaryLine } from '../../ops/summary-lines.ts';
import { FORMATS } from '../formats/registry.ts';
import { type ImportOutcome, type ImportPlan, runImport } from '../run-import.ts';
import { DryRunStore, type WrittenSeries } from './dry-run-store.ts';

export interface DryRun {
  readonly outcome: ImportOutcome;
  /** What would be stored, and a preview of it. Ends with a line end. */
  readonly text: string;
}

export async function dryRunImport(plan: Omit<ImportPlan, 'store'>): Promise<DryRun> {
  const store = new DryRunStore();
  const outcome = await runImport({ ...plan, store });
  const { instrument, options } = plan;
  const lines: string[] = [];
  const addLine = (name: string, text: string): number => lines.push(summaryLine(name, text));
  for (const { file, format, rows } of outcome.report.files) {
    const title = FORMATS.find(({ name }) => name === format)?.title ?? format;
    addLine('file', `${file}: ${title} (${format}), ${formatCount(rows, 'row')}`);
  }
  const zone = options.timezone ? `${options.timezone} (--timezone)` : 'as the file or its format states it';
  addLine('zone', `${zone}; the times below are UTC`);
  const { ticks, minutes } = outcome.written;
  if (ticks > 0) addLine('tape', `${formatCount(ticks, 'tick')} in ${formatCount(minutes, 'minute')}`);
  const series = [...store.series].sort(([, a], [, b]) => b.count - a.count);
  for (const [timeframe, written] of series) addLine(`bars ${timeframe}`, seriesText(written));
  lines.push(...previewOf(store, series[0], instrument));
  return { outcome, text: `${lines.join('\n')}\n` };
}

const seriesText = ({ count, from, to }: WrittenSeries): string =>
  `${formatCount(count, 'bar')}, ${iso(from)} to ${iso(to)}`;

/** The first and last rows as they are understood: ticks if there are any, otherwise the shortest bars. */
function previewOf(
  store: DryRunStore,
  shortest: [string, WrittenSeries] | undefined,
  { digits }: InstrumentSpec,
): string[] {
  const { first, last } = store.ticks;
  const ticks = withoutRepeats([...first, ...last]).map((tick) => tickText(tick, digits));
  if (ticks.length > 0) return ['  first and last ticks', ...ticks];
  if (!shortest) return [];
  const [timeframe, series] = shortest;
  const bars = [...new Map([...series.first, ...series.last].map((bar) => [bar.time as number, bar])).values()];
  return [`  first and last ${timeframe} bars`, ...bars.map((bar) => barText(bar, digits))];
}

const withoutRepeats = (ticks: readonly PriceEvent[]): PriceEvent[] => [
  ...new Map(ticks.map((tick) => [JSON.stringify(tick), tick])).values(),
];

function tickText(tick: PriceEvent, digits: number): string {
  if (tick.kind === 'quote')
    return `    ${iso(tick.time)}  bid ${tick.bid.toFixed(digits)}  ask ${tick.ask.toFixed(digits)}`;
  return `    ${iso(tick.time)}  ${tick.side} ${tick.size} at ${tick.price.toFixed(digits)}`;
}

function barText({ time, open, high, low, close, volume, basis }: Bar, digits: number): string {
  const [o, h, l, c] = [open, high, low, close].map((price) => price.toFixed(digits));
  return `    ${iso(time)}  open ${o}  high ${h}  low ${l}  close ${c}  volume ${volume}  (${basis})`;
}
