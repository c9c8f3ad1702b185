// One news item, and what the market did after it.
import { z } from 'zod';
import { nullable, number, SymbolCode } from '../common/values.ts';
import { NewsDetail } from './schemas.ts';

/** Minutes after the publication at which prices are compared. */
export const NEWS_MARKET_MINUTES = [5, 30, 60, 240] as const;
export type NewsMarketMinutes = (typeof NEWS_MARKET_MINUTES)[number];

export const NewsMarket = z
  .object({
    symbol: SymbolCode,
    at: nullable(
      z.number(),
      'Last price before the publication, at most 5 minutes old; `null` if the market had none, because it was closed or has no minute bars',
    ),
    after: z
      .array(
        z.object({
          minutes: z.literal(NEWS_MARKET_MINUTES).meta({ description: 'Minutes after the publication' }),
          price: number('Last price before that time'),
          change_percent: number('Change since the publication in percent, rounded to 4 decimals'),
        }),
      )
      .meta({ description: 'Later prices, for times that have passed and at which the market had a price' }),
  })
  .meta({ id: 'NewsMarket', description: 'Prices of an instrument around a news item' });
export type NewsMarket = z.infer<typeof NewsMarket>;

export const NewsItemDetail = z
  .object({
    ...NewsDetail.shape,
    market: z
      .array(NewsMarket)
      .meta({ description: 'Prices of each instrument of this service that the item mentions' }),
  })
  .meta({ id: 'NewsItemDetail', description: 'A news item, and what the market did after it' });
export type NewsItemDetail = z.infer<typeof NewsItemDetail>;
