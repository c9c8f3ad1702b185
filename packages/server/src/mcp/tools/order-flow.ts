// `get_order_flow`: volume by price over a range (profile), or by bar and price (footprint).
import { z } from 'zod';
import { type Answer, fit, type Gap, rounded, shortTime } from '../answer.ts';
import type { DetailedInstrument, Freshness } from '../instruments.ts';
import { cursorArg, defineTool, oneOfArg, sourceOf, symbolArg, type ToolContext, timeArg, tokensArg } from '../tool.ts';

const MAX_BARS = 200;
const DEFAULT_BARS = 10;
/** Levels of a footprint bar, those with most volume. */
const MAX_BAR_LEVELS = 8;
const VOLUME_DECIMALS = 4;

interface Level {
  readonly price: number;
  readonly buy: number;
  readonly sell: number;
}

interface Profile {
  readonly symbol: string;
  readonly volume: number;
  readonly delta: number;
  readonly poc: number | null;
  readonly value_area: { readonly low: number; readonly high: number } | null;
  readonly levels: readonly Level[];
}

interface Footprint {
  readonly items: readonly {
    readonly time: string;
    readonly volume: number;
    readonly delta: number;
    readonly levels: readonly Level[];
  }[];
  readonly next?: string | null;
}

const Arguments = z.object({
  symbol: symbolArg,
  view: oneOfArg(['profile', 'footprint']).default('profile'),
  from: timeArg('profile; default: start of the UTC day'),
  to: timeArg(),
  interval: z.string().min(1).max(8).default('1h').meta({
    description: 'footprint',
    allowed: 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M',
  }),
  bars: z
    .int()
    .min(1)
    .max(MAX_BARS)
    .default(DEFAULT_BARS)
    .meta({ allowed: `an integer between 1 and ${MAX_BARS}` }),
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
  output: { columns: { type: 'array' }, rows: { type: 'array' } },
  async run(args, context) {
    const [item] = await context.instruments.resolve([args.symbol]);
    const fresh = await context.instruments.freshness([item!]);
    return args.view === 'profile' ? profile(args, item!, fresh, context) : footprint(args, item!, fresh, context);
  },
});

const envelopeOf = ({ market, as_of, age_ms, stale, missing }: Freshness, { reader }: ToolContext) => ({
  as_of,
  age_ms,
  stale,
  source: sourceOf(reader),
  market,
  gaps: missing as readonly Gap[],
});

const volume = (value: number): number => rounded(value, VOLUME_DECIMALS);
const total = ({ buy, sell }: Level): number => buy + sell;
const rowOf = (level: Level) => [level.price, volume(level.buy), volume(level.sell)];

async function profile(
  args: Arguments,
  item: DetailedInstrument,
  fresh: Freshness,
  context: ToolContext,
): Promise<Answer> {
  const { from, to, cursor, max_tokens } = args;
  const found = await context.reader.get<Profile>(`/api/profile/${item.symbol}`, { from, to });
  const byVolume = found.levels.toSorted((a, b) => total(b) - total(a));
  const start = cursor !== undefined && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const rest = byVolume.slice(start);
  const { poc, value_area } = found;
  return fit(
    rest.length,
    (count) => {
      const end = start + count;
      const next = end < byVolume.length ? String(end) : null;
      return {
        summary: `${item.symbol} profile: volume ${volume(found.volume)}, delta ${volume(found.delta)}, POC ${poc ?? 'none'}, value area ${value_area ? `${value_area.low}–${value_area.high}` : 'none'}; ${count} of ${byVolume.length} levels${next ? ', others with cursor' : ''}${fresh.stale ? '; STALE' : ''}`,
        ...envelopeOf(fresh, context),
        symbol: item.symbol,
        ...(from !== undefined && { from: shortTime(from) }),
        ...(to !== undefined && { to: shortTime(to) }),
        volume: volume(found.volume),
        delta: volume(found.delta),
        poc,
        value_area,
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
  args: Arguments,
  item: DetailedInstrument,
  fresh: Freshness,
  context: ToolContext,
): Promise<Answer> {
  const { interval, bars, cursor, max_tokens } = args;
  const end = cursor === undefined ? args.to : Date.parse(cursor) - 1;
  const found = await context.reader.get<Footprint>(`/api/footprint/${item.symbol}`, {
    interval,
    limit: bars,
    to: end === undefined || Number.isNaN(end) ? undefined : end,
  });
  const { items } = found;
  return fit(
    items.length,
    (count) => {
      const shown = items.slice(items.length - count);
      const hasMore = count < items.length || (found.next ?? null) !== null;
      const delta = shown.reduce((sum, bar) => sum + bar.delta, 0);
      const next = hasMore ? (shown[0]?.time ?? null) : null;
      return {
        summary: `${item.symbol} footprint: ${shown.length} bars of ${interval}, delta ${volume(delta)}${next ? '; older ones with cursor' : ''}${fresh.stale ? '; STALE' : ''}`,
        ...envelopeOf(fresh, context),
        symbol: item.symbol,
        interval,
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
