// `get_indicators`: values of several indicators on the bars of one instrument.
import type { IndicatorSet } from '@tickwire/contract';
import { z } from 'zod';
import { parseChart } from '../../history/chart-reader.ts';
import { boundedGaps, fit, shortTime } from '../answer.ts';
import { barAt, readGaps } from '../gaps.ts';
import {
  ageOf,
  alignArg,
  barsArg,
  beforeCursor,
  cursorArg,
  defineTool,
  intervalArg,
  isoRange,
  symbolArg,
  timeArg,
  tokensArg,
} from '../tool.ts';

const MAX_INDICATORS = 10;
const MAX_BARS = 500;
const DEFAULT_BARS = 20;
/** Significant digits of a value: more cost tokens and say nothing. */
const DIGITS = 7;

export const indicatorsTool = defineTool({
  name: 'get_indicators',
  description:
    'Values of indicators such as rsi(14), ema(200), macd(12,26,9), bollinger(20,2), atr, vwap(week), adx, supertrend, ichimoku. ' +
    'Newest bars; a wrong name lists all.',
  input: z.object({
    symbol: symbolArg,
    indicators: z
      .array(z.string().min(1).max(128))
      .min(1)
      .max(MAX_INDICATORS)
      .meta({ allowed: `a list of 1 to ${MAX_INDICATORS} indicators, such as rsi(14) or macd(12,26,9)` }),
    interval: intervalArg().default('1h'),
    align: alignArg(),
    to: timeArg(),
    bars: barsArg(MAX_BARS, DEFAULT_BARS),
    cursor: cursorArg,
    max_tokens: tokensArg,
  }),
  replays: true,
  output: {
    unsettled: { type: 'object' },
    columns: { type: 'array' },
    rows: { type: 'array' },
  },
  async run({ symbol, indicators: names, interval, align, to, bars, cursor, max_tokens }, { reader, instruments }) {
    const chart = parseChart({ interval, align });
    const [item] = await instruments.resolve([symbol]);
    const fresh = await instruments.freshness([item!]);
    const end = cursor === undefined ? to : beforeCursor(cursor);
    const set = await reader.get<IndicatorSet>(`/api/indicators/${item!.symbol}`, {
      indicators: names.join(','),
      interval,
      align,
      ...isoRange({ to: end }),
      limit: bars,
    });
    const lines = set.indicators.flatMap(linesOf);
    const times = set.indicators[0]?.items ?? [];
    const rows = times.map(({ time }, at) => [shortTime(time), ...lines.map(({ values }) => values[at] ?? null)]);
    const unsettled = Object.fromEntries(
      set.indicators.flatMap(({ indicator, items }) => {
        const count = items.filter(({ settled }) => !settled).length;
        return count === 0 ? [] : [[indicator, count] as const];
      }),
    );
    const newest = rows.at(-1);
    const values = lines.map(({ name }, at) => `${name} ${newest?.[at + 1] ?? 'none'}`);
    const last = times.length === 0 ? null : barAt(chart, times.at(-1)!.time);
    const missing = last
      ? await readGaps(reader, [item!.symbol], {
          from: Date.parse(times[0]!.time),
          to: last.end,
          lengthMs: last.lengthMs,
        })
      : [];
    const gaps = boundedGaps([...missing, ...fresh.missing]);
    const age = ageOf(reader, fresh, end, last?.end);
    return fit(
      rows.length,
      (count) => {
        const shown = rows.slice(rows.length - count);
        const oldest = times[rows.length - count];
        const next = (count < rows.length || set.next !== null) && oldest ? oldest.time : null;
        return {
          summary: `${set.symbol} ${set.interval}${newest ? ` at ${newest[0]}` : ''}: ${values.join(', ')}${age.stale ? '; STALE' : ''}`,
          ...age,
          ...gaps,
          symbol: set.symbol,
          interval: set.interval,
          // Values that a longer history would change, by indicator: how many of the bars read.
          unsettled,
          columns: ['time', ...lines.map(({ name }) => name)],
          rows: shown,
          ...(times.at(-1)?.forming && { last_bar: 'forming' }),
          next,
        };
      },
      max_tokens,
    );
  },
});

/** The lines of an indicator as columns. */
function linesOf({ indicator, items }: IndicatorSet['indicators'][number]) {
  const names = Object.keys(items.at(-1)?.values ?? {});
  const shown = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : Number(value.toPrecision(DIGITS));
  if (names.length === 0) return [{ name: indicator, values: items.map(({ value }) => shown(value)) }];
  return names.map((name) => ({
    name: `${indicator} ${name}`,
    values: items.map(({ values }) => shown(values?.[name])),
  }));
}
