// `get_quotes`: current bid and ask with their age.
import { z } from 'zod';
import { rounded } from '../answer.ts';
import { defineTool, symbolsArg } from '../tool.ts';

const MAX_SYMBOLS = 20;

export const quotesTool = defineTool({
  name: 'get_quotes',
  description: 'Current bid, ask and spread of 1–20 symbols, each with its age and whether it is stale.',
  input: z.object({ symbols: symbolsArg(MAX_SYMBOLS) }),
  replays: true,
  output: { items: { type: 'array' } },
  async run({ symbols }, { reader, instruments }) {
    const items = await instruments.resolve(symbols);
    const { quotes, missing, envelope } = await instruments.freshness(items);
    const shown = items.flatMap(({ symbol, pip_size }) => {
      const quote = quotes.get(symbol);
      if (!quote) return [];
      const { bid, ask, spread, timestamp, stale } = quote;
      const age_ms = Math.max(0, reader.now - Date.parse(timestamp));
      return [{ symbol, bid, ask, spread_pips: rounded(spread / pip_size, 2), time: timestamp, age_ms, stale }];
    });
    const prices = shown.map(({ symbol, bid, ask, stale }) => `${symbol} ${bid}/${ask}${stale ? ' STALE' : ''}`);
    return {
      summary: [...prices, ...missing.map(({ symbol }) => `${symbol} has no quote`)].join(', '),
      ...envelope,
      gaps: missing,
      items: shown,
      next: null,
    };
  },
});
