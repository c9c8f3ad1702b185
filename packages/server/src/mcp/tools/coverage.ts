// `get_coverage`: which bars are missing, and why.
import { type Coverage, TIMEFRAMES } from '@tickwire/contract';
import { z } from 'zod';
import { fit, type Gap, shortTime } from '../answer.ts';
import { isGap } from '../gaps.ts';
import { cursorArg, defineTool, isoRange, itemsAfter, oneOfArg, symbolArg, timeArg, tokensArg } from '../tool.ts';

export const coverageTool = defineTool({
  name: 'get_coverage',
  description:
    'Which bars of a symbol are missing in a range, and why (closed market, before history, not recorded, outage).',
  input: z.object({
    symbol: symbolArg,
    timeframe: oneOfArg(TIMEFRAMES).default('1h'),
    from: timeArg('default: a day before to'),
    to: timeArg(),
    cursor: cursorArg,
    max_tokens: tokensArg,
  }),
  replays: true,
  output: { bars: { type: 'integer' }, absent: { type: 'array' } },
  async run({ symbol, timeframe, from, to, cursor, max_tokens }, { reader, instruments }) {
    const [item] = await instruments.resolve([symbol]);
    const { envelope } = await instruments.freshness([item!]);
    const range = isoRange({ from, to });
    const coverage = await reader.get<Coverage>(`/api/market/${item!.symbol}/coverage`, { timeframe, ...range });
    const all = coverage.absent.map((each) => ({ ...each, from: shortTime(each.from), to: shortTime(each.to) }));
    const rest = itemsAfter(all, cursor, (each) => each.from);
    const byReason: Record<string, number> = {};
    for (const { reason, bars } of all) byReason[reason] = (byReason[reason] ?? 0) + bars;
    const missing = all.filter(isGap);
    const reasons = Object.entries(byReason).map(([reason, bars]) => `${bars} ${reason}`);
    return fit(
      rest.length,
      (count) => {
        const shown = rest.slice(0, count);
        const next = count < rest.length ? (shown.at(-1)?.from ?? null) : null;
        return {
          summary: `${item!.symbol} ${timeframe} ${shortTime(coverage.from)} to ${shortTime(coverage.to)}: ${coverage.bars} bars; absent: ${reasons.join(', ') || 'none'}${next ? '; more with cursor' : ''}`,
          ...envelope,
          // The list below has each of them.
          gaps:
            missing.length === 0
              ? []
              : [{ symbol: item!.symbol, bars: sum(missing), reason: 'see absent' } satisfies Gap],
          symbol: item!.symbol,
          timeframe,
          from: shortTime(coverage.from),
          to: shortTime(coverage.to),
          bars: coverage.bars,
          absent_bars: byReason,
          absent: shown,
          next,
        };
      },
      max_tokens,
    );
  },
});

const sum = (ranges: readonly { readonly bars: number }[]): number => ranges.reduce((all, { bars }) => all + bars, 0);
