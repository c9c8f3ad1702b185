// `tickwire import --dry-run`: runs the import against a store that keeps nothing, and shows what would be stored.
import type { Bar, InstrumentSpec } from '@tickwire/engine';
import { formatCount } from '../ops/progress.ts';
import { DryRunStore, type WrittenSeries } from './dry-run-store.ts';
import { FORMATS } from './formats/registry.ts';
import { PriceChart } from './price-chart.ts';
import type { Tick } from './row-events.ts';
import { type ImportOutcome, type ImportPlan, runImport } from './run-import.ts';

export interface DryRun {
  readonly outcome: ImportOutcome;
  /** What would be stored, a preview of it, and a chart. Ends with a line end. */
  readonly text: string;
}

export async function dryRunImport(plan: Omit<ImportPlan, 'store'>): Promise<DryRun> {
  const store = new DryRunStore();
  const charts = new Map<string, PriceChart>();
  store.onBar = (timeframe, bar) => {
    const chart = charts.get(timeframe) ?? new PriceChart();
    charts.set(timeframe, chart);
    chart.add(bar);
  };
  const outcome = await runImport({ ...plan, store });
  const { instrument, options } = plan;
  const lines: string[] = [];
  const addLine = (name: string, text: string): number => lines.push(`  ${name.padEnd(10)} ${text}`);
  for (const { file, format, rows } of outcome.report.files) {
    const title = FORMATS.find(({ name }) => name === format)?.title ?? format;
    addLine('file', `${file}: ${title} (${format}), ${plural(rows, 'row')}`);
  }
  const zone = options.timezone ? `${options.timezone} (--timezone)` : 'as the file or its format states it';
  addLine('zone', `${zone}; the times below are UTC`);
  const { ticks, minutes } = outcome.written;
  if (ticks > 0) addLine('tape', `${plural(ticks, 'tick')} in ${plural(minutes, 'minute')}`);
  const series = [...store.series].sort(([, a], [, b]) => b.count - a.count);
  for (const [timeframe, written] of series) addLine(`bars ${timeframe}`, seriesText(written));
  lines.push(...previewOf(store, series[0], instrument));
  const chart = series[0] ? charts.get(series[0][0])!.lines(instrument.digits) : [];
  if (chart.length > 0) lines.push(`  closes of the ${series[0]![0]} bars`, ...chart.map((line) => `    ${line}`));
  return { outcome, text: `${lines.join('\n')}\n` };
}

const plural = (count: number, name: string): string => `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
const iso = (time: number): string => new Date(time).toISOString();
const seriesText = ({ count, from, to }: WrittenSeries): string =>
  `${plural(count, 'bar')}, ${iso(from)} to ${iso(to)}`;

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

const withoutRepeats = (ticks: readonly Tick[]): Tick[] => [
  ...new Map(ticks.map((tick) => [JSON.stringify(tick), tick])).values(),
];

function tickText(tick: Tick, digits: number): string {
  if (tick.kind === 'quote')
    return `    ${iso(tick.time)}  bid ${tick.bid.toFixed(digits)}  ask ${tick.ask.toFixed(digits)}`;
  return `    ${iso(tick.time)}  ${tick.side} ${tick.size} at ${tick.price.toFixed(digits)}`;
}

function barText({ time, open, high, low, close, volume, basis }: Bar, digits: number): string {
  const [o, h, l, c] = [open, high, low, close].map((price) => price.toFixed(digits));
  return `    ${iso(time)}  open ${o}  high ${h}  low ${l}  close ${c}  volume ${volume}  (${basis})`;
}
