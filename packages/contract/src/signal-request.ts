// What a publisher sends: a signal as an application writes it, and as an alert of TradingView does.
import { z } from 'zod';
import { Direction } from './signal.ts';

/** Of `note`, in characters as a reader counts them: code points, not UTF-16 units. */
export const MAX_NOTE = 500;
/** Of an Idempotency-Key and of the `id` of an alert. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** Of any body that is one JSON document. */
export const MAX_DOCUMENT_BYTES = 65_536;

/** No control characters but line feed and tab, and no lone surrogates: their UTF-8, which is hashed, would be another text. */
const PLAIN_TEXT = new RegExp(`^(?:[\\n\\t]|[^\\p{Cc}\\p{Cs}]){0,${MAX_NOTE}}$`, 'u');
const DECIMAL = /^\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?$/;
const SIDES: Readonly<Record<string, Direction>> = { buy: 'buy', long: 'buy', sell: 'sell', short: 'sell' };

/** Every field of a body says what it allows in words, for the `errors[]` of a 400, as query fields do. */
const symbol = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Instrument code, in upper or lower case', allowed: 'the code of an instrument' });
const price = z.number().positive();
const allowedPrice = 'a number above 0';
const PRICES = {
  entry: "Where it is to be entered, with at most the instrument's digits; near the market it is filled at once",
  stop_loss: 'Below the entry of a buy, above that of a sell',
  take_profit: 'Above the entry of a buy, below that of a sell',
} as const;

const optional = {
  expires_at: z.iso.datetime({ offset: true }).optional().meta({
    description: 'When it ends where nothing else has ended it: later than now, at most 30 days ahead',
    allowed: 'an ISO 8601 time with its offset, such as 2026-03-06T21:00:00Z',
  }),
  note: z
    .string()
    .regex(PLAIN_TEXT)
    .optional()
    .meta({
      description: 'Plain text for the readers; line feeds and tabs are its only control characters',
      allowed: `a text of up to ${MAX_NOTE} characters without control characters other than line feeds and tabs`,
      maxLength: MAX_NOTE,
    }),
};

export const SignalRequest = z
  .object({
    symbol,
    direction: Direction.meta({ allowed: 'buy or sell' }),
    entry: price.meta({ description: PRICES.entry, allowed: allowedPrice }),
    stop_loss: price.meta({ description: PRICES.stop_loss, allowed: allowedPrice }),
    take_profit: price.meta({ description: PRICES.take_profit, allowed: allowedPrice }),
    ...optional,
  })
  .meta({ id: 'SignalRequest' });
export type SignalRequest = z.infer<typeof SignalRequest>;

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const numeric = (value: unknown): unknown => {
  const text = trimmed(value);
  return typeof text === 'string' && DECIMAL.test(text) ? Number(text) : value;
};

const alertPrice = (description: string) =>
  z.preprocess(numeric, price).meta({
    description,
    allowed: 'a number above 0, plain or as a text',
    wire: {
      anyOf: [
        { type: 'number', exclusiveMinimum: 0 },
        { type: 'string', pattern: DECIMAL.source },
      ],
    },
  });

/**
 * Placeholders of an alert come out as texts, and tickers with their exchange: both are read into what a SignalRequest says.
 */
export const TradingViewAlert = z
  .object({
    symbol: z
      .preprocess((value) => (typeof value === 'string' ? value.trim().replace(/^[^:]*:/, '') : value), symbol)
      .meta({
        description: 'Instrument code; an exchange before it, as in `OANDA:EURUSD`, is taken off',
        allowed: 'the code of an instrument, with or without an exchange before it',
        wire: { type: 'string' },
      }),
    direction: z
      .preprocess(
        (value) => (typeof value === 'string' ? (SIDES[value.trim().toLowerCase()] ?? value) : value),
        Direction,
      )
      .meta({
        description: '`buy` or `long`, `sell` or `short`, in upper or lower case',
        allowed: 'buy, long, sell or short',
        wire: { type: 'string' },
      }),
    entry: alertPrice(PRICES.entry),
    stop_loss: alertPrice(PRICES.stop_loss),
    take_profit: alertPrice(PRICES.take_profit),
    ...optional,
    id: z
      .string()
      .min(1)
      .max(MAX_IDEMPOTENCY_KEY)
      .optional()
      .meta({
        description:
          'The same id within 24 hours gets the first answer again: an alert that fires twice publishes once',
        allowed: `a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
      }),
  })
  .meta({ id: 'TradingViewAlert' });
export type TradingViewAlert = z.infer<typeof TradingViewAlert>;
