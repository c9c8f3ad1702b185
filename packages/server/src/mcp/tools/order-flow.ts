// `get_order_flow`: volume by price over a range (profile), or by bar and price (footprint).
import type { FootprintPage, PriceLevel, Profile } from '@tickwire/contract';
import { z } from 'zod';
import { parseChart } from '../../history/chart-reader.ts';
import { type Answer, fit, type Gap, rounded, shortTime, summaryOf } from '../answer.ts';
import { barAt } from '../gaps.ts';
import type { DetailedInstrument, Freshness } from '../instruments.ts';
import {
  ageOf,
  barsArg,
  beforeCursor,
  cursorArg,
  defineTool,
  intervalArg,
  isoRange,
  offsetCursor,
  oneOfArg,
  symbolArg,
  type ToolContext,
  timeArg,
  tokensArg,
} from '../tool.ts';

const MAX_BARS = 200;
const DEFAULT_BARS = 10;
/** Levels of a footprint bar, those with most volume. */
const MAX_BAR_LEVELS = 8;
const VOLUME_DECIMALS = 4;

const Arguments = z.object({
  symbol: symbolArg,
  view: oneOfArg(['profile', 'footprint']).default('profile'),
  from: timeArg('profile; default: 00:00 UTC of to; at most 31 days'),
  to: timeArg(),
  interval: intervalArg('footprint').default('1h'),
  bars: barsArg(MAX_BARS, DEFAULT_BARS),
  level: z.number().positive().optional().meta({ description: 'height of a price level', allowed: 'a number above 0' }),
  cursor: cursorArg,
  max_tokens: tokensArg,
});
type Arguments = z.output<typeof Arguments>;

export const orderFlowTool = defineTool({
  name: 'get_order_flow',
  description:
    'profile: volume at price over a range with point of control, 70 % value area and delta. footprint: buy and sell volume per ' +
    'price and bar. Levels with most volume first.',
  input: Arguments,
  replays: true,
  output: { columns: { type: 'array' }, rows: { type: 'array' } },
  async run(args, context) {
    const [item] = await context.instruments.resolve([args.symbol]);
    const fresh = await context.instruments.freshness([item!]);
    return args.view === 'profile' ? profile(args, item!, fresh, context) : footprint(args, item!, fresh, context);
  },
});

/** Volume that is known only from bars is a gap: its prices and sides are not known. */
const uncoveredGap = (symbol: string, from: string, to: string): Gap => ({
  symbol,
  from: shortTime(from),
  to: shortTime(to),
  reason: 'volume known only from bars',
});

const volume = (value: number): number => rounded(value, VOLUME_DECIMALS);
const total = ({ buy, sell }: PriceLevel): number => buy + sell;
const rowOf = (level: PriceLevel) => [level.price, volume(level.buy), volume(level.sell)];

async function profile(
  { from, to, level, cursor, max_tokens }: Arguments,
  { symbol }: DetailedInstrument,
  fresh: Freshness,
  { reader }: ToolContext,
): Promise<Answer> {
  const found = await reader.get<Profile>(`/api/profile/${symbol}`, { ...isoRange({ from, to }), level });
  const { poc, value_area, uncovered_volume } = found;
  const byVolume = found.levels.toSorted((a, b) => total(b) - total(a));
  const start = offsetCursor(cursor);
  const rest = byVolume.slice(start);
  const age = ageOf(reader, fresh, to, Date.parse(found.to));
  return fit(
    rest.length,
    (count) => {
      const end = start + count;
      const next = end < byVolume.length ? String(end) : null;
      const area = value_area ? `${value_area.low}–${value_area.high}` : 'none';
      return {
        summary: summaryOf(
          `${symbol} profile: volume ${volume(found.volume)}, delta ${volume(found.delta)}, POC ${poc ?? 'none'}, value area ${area}`,
          `${count} of ${byVolume.length} levels${next ? ', those with less volume with cursor' : ''}`,
          age.stale && 'STALE',
        ),
        ...age,
        gaps: [
          ...(uncovered_volume > 0 ? [uncoveredGap(symbol, found.from, found.covered_from)] : []),
          ...fresh.missing,
        ],
        symbol,
        from: shortTime(found.from),
        to: shortTime(found.to),
        volume: volume(found.volume),
        delta: volume(found.delta),
        ...(uncovered_volume > 0 && { uncovered_volume }),
        poc,
        value_area,
        level: found.level,
        side_method: found.side_method,
        levels_total: byVolume.length,
        columns: ['price', 'buy', 'sell'],
        rows: rest
          .slice(0, count)
          .toSorted((a, b) => b.price - a.price)
          .map(rowOf),
        next,
      };
    },
    max_tokens,
  );
}

async function footprint(
  { interval, bars, level, to, cursor, max_tokens }: Arguments,
  { symbol }: DetailedInstrument,
  fresh: Freshness,
  { reader }: ToolContext,
): Promise<Answer> {
  const chart = parseChart({ interval, align: 'utc' });
  const end = cursor === undefined ? to : beforeCursor(cursor);
  const found = await reader.get<FootprintPage>(`/api/footprint/${symbol}`, {
    interval,
    level,
    limit: bars,
    ...isoRange({ to: end }),
  });
  const { items } = found;
  const last = items.at(-1);
  const age = ageOf(reader, fresh, end, last && barAt(chart, last.time).end);
  return fit(
    items.length,
    (count) => {
      const shown = items.slice(items.length - count);
      const next = count < items.length || found.next !== null ? (shown[0]?.time ?? null) : null;
      const delta = shown.reduce((sum, bar) => sum + bar.delta, 0);
      const uncovered = shown.filter((bar) => bar.uncovered_volume > 0);
      return {
        summary: summaryOf(
          `${symbol} footprint: ${shown.length} bars of ${interval}, delta ${volume(delta)}`,
          next !== null && 'older ones with cursor',
          age.stale && 'STALE',
        ),
        ...age,
        gaps: [
          ...(uncovered.length > 0 ? [uncoveredGap(symbol, uncovered[0]!.time, uncovered.at(-1)!.time)] : []),
          ...fresh.missing,
        ],
        symbol,
        interval,
        level: found.level,
        side_method: found.side_method,
        columns: ['time', 'volume', 'delta', `up to ${MAX_BAR_LEVELS} levels [price, buy, sell]`, 'levels not shown'],
        rows: shown.map((bar) => {
          const levels = bar.levels.toSorted((a, b) => total(b) - total(a)).slice(0, MAX_BAR_LEVELS);
          return [
            shortTime(bar.time),
            volume(bar.volume),
            volume(bar.delta),
            levels.toSorted((a, b) => b.price - a.price).map(rowOf),
            bar.levels.length - levels.length,
          ];
        }),
        next,
      };
    },
    max_tokens,
  );
}
