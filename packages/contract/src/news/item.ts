// One news item, and what the market did after it.
import { z } from 'zod';
import { namedObject, nullable, number, SymbolCode } from '../common/values.ts';
import { NewsDetail } from './schemas.ts';

/** Minutes after the publication at which prices are compared. */
export const NEWS_MARKET_MINUTES = [5, 30, 60, 240] as const;

export const NewsMarket = namedObject('NewsMarket', 'Prices of an instrument around a news item', () => ({
  symbol: SymbolCode,
  at: nullable(z.number(), 'Last price before the publication, at most 5 minutes old; `null` if there was none'),
  after: z
    .array(
      z.object({
        minutes: z.literal(NEWS_MARKET_MINUTES).meta({ description: 'Minutes after the publication' }),
        price: number('Last price before that time'),
        change_percent: number('Change since the publication in percent'),
      }),
    )
    .meta({ description: 'Later prices, where known' }),
}));
export type NewsMarket = z.infer<typeof NewsMarket>;

export const NewsItemDetail = namedObject('NewsItemDetail', 'A news item, and what the market did after it', () => ({
  ...NewsDetail.shape,
  market: z.array(NewsMarket).meta({ description: 'Prices of each instrument of this service that the item mentions' }),
}));
export type NewsItemDetail = z.infer<typeof NewsItemDetail>;
