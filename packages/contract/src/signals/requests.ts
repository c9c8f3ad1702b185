// Requests to publish a signal: from an application, and from a TradingView alert.
import { z } from 'zod';
import { MAX_IDEMPOTENCY_KEY } from '../common/endpoint.ts';
import { Direction } from './schemas.ts';

/** Maximum length of `note` in code points. */
export const MAX_NOTE = 500;

/** Rejects lone surrogates, because the UTF-8 text that is hashed would differ from the text that was sent. */
const PLAIN_TEXT = new RegExp(`^(?:[\\n\\t]|[^\\p{Cc}\\p{Cs}]){0,${MAX_NOTE}}$`, 'u');
/** The same for clients, in the syntax that Python's `re` and RE2 share: no control characters except tab and line feed. */
const PLAIN_TEXT_PATTERN = '^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$';
const DECIMAL = /^\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?$/;
const SIDES: Readonly<Record<string, Direction>> = { buy: 'buy', long: 'buy', sell: 'sell', short: 'sell' };

const symbol = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Instrument code (case-insensitive)', allowed: 'an instrument code' });
const price = z.number().positive();
const PRICES = {
  entry:
    "Entry price, with at most as many decimals as the instrument's digits. Near the market it is filled immediately; otherwise it is a limit or stop order",
  stop_loss: 'Stop loss price: below the entry for a buy, above it for a sell',
  take_profit: 'Take profit price: above the entry for a buy, below it for a sell',
} as const;

const optional = {
  expires_at: z.iso.datetime({ offset: true }).optional().meta({
    description:
      'Deadline of the signal, at most 30 days ahead (ISO 8601). By default 24 hours for a pending entry and 30 days for the trade',
    allowed: 'an ISO 8601 time with its offset, such as 2026-03-06T21:00:00Z',
  }),
  note: z
    .string()
    .refine((note) => PLAIN_TEXT.test(note))
    .optional()
    .meta({
      description: 'Note for readers, plain text. Line feeds and tabs are the only control characters allowed',
      allowed: `a text of up to ${MAX_NOTE} characters without control characters other than line feeds and tabs`,
      maxLength: MAX_NOTE,
      pattern: PLAIN_TEXT_PATTERN,
    }),
};

const requestPrice = (description: string) => price.meta({ description, allowed: 'a number above 0' });

export const SignalRequest = z
  .object({
    symbol,
    direction: Direction.meta({ allowed: 'buy or sell' }),
    entry: requestPrice(PRICES.entry),
    stop_loss: requestPrice(PRICES.stop_loss),
    take_profit: requestPrice(PRICES.take_profit),
    ...optional,
  })
  .meta({ id: 'SignalRequest', description: 'A signal to publish' });
export type SignalRequest = z.infer<typeof SignalRequest>;

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const numeric = (value: unknown): unknown => {
  const decimal = trimmed(value);
  return typeof decimal === 'string' && DECIMAL.test(decimal) ? Number(decimal) : value;
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

/** TradingView fills placeholders with texts and writes the exchange before the ticker. Parsing gives a SignalRequest. */
export const TradingViewAlert = z
  .object({
    symbol: z
      .preprocess((value) => (typeof value === 'string' ? value.trim().replace(/^[^:]*:/, '') : value), symbol)
      .meta({
        description: 'Instrument code. An exchange prefix, as in `OANDA:EURUSD`, is removed',
        allowed: 'an instrument code, with or without an exchange prefix',
        wire: { type: 'string' },
      }),
    direction: z
      .preprocess(
        (value) => (typeof value === 'string' ? (SIDES[value.trim().toLowerCase()] ?? value) : value),
        Direction,
      )
      .meta({
        description: '`buy` or `long`, `sell` or `short` (case-insensitive)',
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
          'Idempotency key: an alert with the same id within 24 hours gets the first response again and publishes nothing',
        allowed: `a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
      }),
  })
  .meta({ id: 'TradingViewAlert', description: 'A signal to publish, as a TradingView alert message' });
export type TradingViewAlert = z.infer<typeof TradingViewAlert>;
