// `find_instruments`: symbols by name, type or currency.
import { INSTRUMENT_TYPES } from '@tickwire/contract';
import { z } from 'zod';
import { fit } from '../answer.ts';
import { search } from '../instruments.ts';
import { cursorArg, defineTool, itemsAfter, oneOfArg, readNow, tokensArg } from '../tool.ts';

export const findInstrumentsTool = defineTool({
  name: 'find_instruments',
  description:
    'Find symbols by name, currency or type ("gold", "JPY"). Gives contract terms and whether the market is open.',
  input: z.object({
    query: z.string().max(100).optional().meta({ allowed: 'a text of up to 100 characters' }),
    type: oneOfArg(INSTRUMENT_TYPES).optional(),
    cursor: cursorArg,
    max_tokens: tokensArg,
  }),
  replays: true,
  output: { items: { type: 'array' } },
  async run({ query = '', type, cursor, max_tokens }, { reader, instruments }) {
    const all = await instruments.all();
    const found = search(all, query).filter((item) => type === undefined || item.type === type);
    const rest = itemsAfter(found, cursor, ({ symbol }) => symbol);
    const states = rest.length === 0 ? {} : (await instruments.freshness(rest)).envelope.market;
    return fit(
      rest.length,
      (count) => {
        const shown = rest.slice(0, count);
        const next = count < rest.length ? shown.at(-1)!.symbol : null;
        return {
          summary: `${found.length} of ${all.length} instruments match${next ? `; ${rest.length - count} more with cursor` : ''}: ${shown.map(({ symbol }) => symbol).join(', ')}`,
          ...readNow(reader),
          market: Object.fromEntries(shown.map((item) => [item.symbol, states[item.symbol]!])),
          gaps: [],
          total: found.length,
          items: shown.map((item) => ({
            symbol: item.symbol,
            name: item.name,
            type: item.type,
            digits: item.digits,
            pip_size: item.pip_size,
            contract_size: item.contract_size,
            contract_unit: item.contract_unit,
          })),
          next,
        };
      },
      max_tokens,
    );
  },
});
