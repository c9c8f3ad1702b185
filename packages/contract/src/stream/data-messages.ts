// Messages with data, from the service. They never have `event`, which responses and notices always have.
import { z } from 'zod';
import { AlertFiring } from '../alerts/schemas.ts';
import { integer, namedObject, nullable, number, SymbolCode, text, UnixSeconds } from '../common/values.ts';
import { IndicatorItem } from '../market/indicators.ts';
import { figureFields, liquidationFields, openInterest } from '../market/perpetual.ts';
import { barPrices, quotePrices, TimeframeCode } from '../market/schemas.ts';
import { FOOTPRINT_TIMEFRAMES } from '../market/timeframes.ts';
import { PriceLevel, SIDE_METHODS } from '../market/volume.ts';
import { NewsDetail } from '../news/schemas.ts';
import { AmendedSignal, ClosedSignal, ExitedSignal, FilledSignal, SignalMessage } from '../signals/schemas.ts';
import { of } from './message-fields.ts';

/** Present if the subscription has `"seq":true`. */
const continuity = {
  seq: integer('Sequence number, increasing over the whole channel').optional(),
  prev: integer('`seq` of the previous message of this symbol; 0 before the first').optional(),
  epoch: text('Identifies an unbroken sequence; changes only when continuity is lost').optional(),
};

/** Present if the subscription has `"ms":true`. */
const milliseconds = {
  time_ms: integer('`time` with its milliseconds; present if the subscription has `"ms":true`').optional(),
};

export const MarketTick = namedObject('MarketTick', 'A quote update', () => ({
  ...of('market'),
  symbol: SymbolCode,
  ...quotePrices,
  time: UnixSeconds,
  volume: z.number().nonnegative().meta({
    description:
      'Size traded since the previous tick of the instrument; for feeds without trades the size of the quote, or 1',
  }),
  ...milliseconds,
  ...continuity,
}));
export type MarketTick = z.infer<typeof MarketTick>;

export const OrderFlowTick = namedObject('OrderFlowTick', 'An order-flow update', () => ({
  ...of('orderflow'),
  symbol: SymbolCode,
  bid_volume: z.number().nonnegative().meta({ description: 'Volume sold at the bid since the previous message' }),
  ask_volume: z.number().nonnegative().meta({ description: 'Volume bought at the ask since the previous message' }),
  delta: number('ask_volume − bid_volume'),
  cumulative_delta: number('Sum of `delta` since 00:00 UTC'),
  price: number('Price of the last trade'),
  time: UnixSeconds,
  imbalance: z
    .number()
    .min(-1)
    .max(1)
    .meta({ description: '(ask volume − bid volume) / (ask volume + bid volume) of the last 60 seconds, −1 to 1' }),
  absorption: z.enum(['buy', 'sell']).nullable().meta({
    description: 'Passive side that holds the price against one-sided aggression; `null` if there is none',
  }),
  side_method: text('How the side of the trades was inferred; absent if the feed reports it').optional(),
  ...milliseconds,
  ...continuity,
}));
export type OrderFlowTick = z.infer<typeof OrderFlowTick>;

const IndicatorValue = IndicatorItem.pick({ value: true, values: true, settled: true }).meta({
  description: 'Values of an indicator at the bar of the message',
});

const barClosed = z
  .boolean()
  .meta({ description: '`false` while the bar is forming. A closed bar may be sent again, corrected' });

export const BarMessage = namedObject('BarMessage', 'A bar update', () => ({
  channel: z.literal('bars').meta({ description: 'Identifies the message as a bar' }),
  symbol: SymbolCode,
  timeframe: TimeframeCode,
  time: UnixSeconds.meta({ description: 'Start of the bar, Unix time in seconds' }),
  ...barPrices,
  closed: barClosed,
  indicators: z.record(z.string(), IndicatorValue).optional().meta({
    description:
      'Values of the subscribed indicators by their full text, such as `rsi(14)`: if the forming bar closed now, or those of the closed bar. Present if the subscription has `indicators`',
  }),
  ...milliseconds,
  ...continuity,
}));
export type BarMessage = z.infer<typeof BarMessage>;

export const FootprintMessage = namedObject('FootprintMessage', 'Volume at price of a bar', () => ({
  channel: z.literal('footprint').meta({ description: 'Identifies the message as a footprint' }),
  symbol: SymbolCode,
  timeframe: z.enum(FOOTPRINT_TIMEFRAMES).meta({ description: 'Length of the bar' }),
  time: UnixSeconds.meta({ description: 'Start of the bar, Unix time in seconds' }),
  level: number('Height of a level. Higher than that of the instrument if the bar has more than 500 levels'),
  side_method: nullable(z.enum(SIDE_METHODS), 'How the sides of the trades are known. `null` without trades'),
  volume: z.number().nonnegative().meta({ description: 'Traded volume of the bar: the sum of all levels' }),
  delta: number('Bought minus sold volume of the bar: the sum of all levels'),
  poc: nullable(z.number(), 'Lowest price of the level with the most volume; `null` without trades'),
  levels: z.array(PriceLevel).meta({ description: 'Levels with trades, ascending' }),
  uncovered_volume: z.number().nonnegative().meta({
    description: 'Traded volume that is not in `levels`, because only bars of it are known',
  }),
  closed: barClosed,
  ...continuity,
}));
export type FootprintMessage = z.infer<typeof FootprintMessage>;

export const PerpetualFigures = namedObject('PerpetualFigures', 'Figures of a perpetual changed', () => ({
  ...of('perpetual'),
  type: z.literal('figures').meta({ description: 'Identifies the message as figures' }),
  symbol: SymbolCode,
  venue: text('Venue'),
  ...figureFields,
  next_funding_time: nullable(UnixSeconds, 'Time of the next payment, Unix time in seconds'),
  open_interest: openInterest,
  time: UnixSeconds,
  ...milliseconds,
  ...continuity,
}));
export type PerpetualFigures = z.infer<typeof PerpetualFigures>;

export const PerpetualLiquidation = namedObject('PerpetualLiquidation', 'The venue closed a position by force', () => ({
  ...of('perpetual'),
  type: z.literal('liquidation').meta({ description: 'Identifies the message as a liquidation' }),
  symbol: SymbolCode,
  venue: text('Venue'),
  ...liquidationFields,
  time: UnixSeconds,
  ...milliseconds,
  ...continuity,
}));
export type PerpetualLiquidation = z.infer<typeof PerpetualLiquidation>;

const ofSignals = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, id: string, description: string) =>
  schema.extend({ ...of('signals'), ...continuity }).meta({ id, description });

export const SignalPublished = ofSignals(SignalMessage, 'SignalPublished', 'A newly published signal');
export type SignalPublished = z.infer<typeof SignalPublished>;
export const SignalClosed = ofSignals(
  ClosedSignal,
  'SignalClosed',
  'A closed signal; sent to subscriptions with `"closes":true`',
);
export type SignalClosed = z.infer<typeof SignalClosed>;
export const SignalFilled = ofSignals(
  FilledSignal,
  'SignalFilled',
  'A signal whose entry was filled; sent to subscriptions with `"fills":true`',
);
export type SignalFilled = z.infer<typeof SignalFilled>;
export const SignalExited = ofSignals(
  ExitedSignal,
  'SignalExited',
  'A part of the position exited at a target; sent to subscriptions with `"changes":true`',
);
export type SignalExited = z.infer<typeof SignalExited>;
export const SignalAmended = ofSignals(
  AmendedSignal,
  'SignalAmended',
  'The publisher tightened the stop of a signal; sent to subscriptions with `"changes":true`',
);
export type SignalAmended = z.infer<typeof SignalAmended>;

/** A news item or a firing has several symbols or none, so continuity is per subscription instead of per symbol. */
const newsContinuity = {
  ...continuity,
  prev: continuity.prev.meta({ description: '`seq` of the previous message of this subscription; 0 before the first' }),
};

export const NewsPublished = NewsDetail.extend({ ...of('news'), ...newsContinuity }).meta({
  id: 'NewsPublished',
  description: 'A new news item',
});
export type NewsPublished = z.infer<typeof NewsPublished>;
export const NewsRevised = NewsDetail.extend({
  revised: z.literal(true).meta({ description: 'Identifies the message as a revision' }),
  ...of('news'),
  ...newsContinuity,
}).meta({
  id: 'NewsRevised',
  description: 'The complete updated item, with the `id` of its publication',
});
export type NewsRevised = z.infer<typeof NewsRevised>;

export const AlertFired = AlertFiring.omit({ seq: true })
  .extend({
    event_seq: AlertFiring.shape.seq,
    ...of('alerts'),
    ...newsContinuity,
  })
  .meta({ id: 'AlertFired', description: 'An alert or subscription of the account fired' });
export type AlertFired = z.infer<typeof AlertFired>;
