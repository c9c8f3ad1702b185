// Requests of publishers: to publish a signal, from an application or a TradingView alert, to tighten its stop and to close it.
// Requests of operators: to void one.
import { z } from 'zod';
import { MAX_IDEMPOTENCY_KEY } from '../common/endpoint.ts';
import { RequestSignature } from './records.ts';
import { Direction, MAX_TARGETS } from './schemas.ts';

/** Maximum length of `note`, and of the reason of a void, in code points. */
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
    "Entry price, with at most as many decimals as the instrument's digits. Near the market it is a market order, which the next quote fills; otherwise it is a limit or stop order",
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
const signed = RequestSignature.optional().meta({
  description: 'Signature of the request; required if the account has a signing key',
  allowed: 'an object with signed_at (ISO 8601, UTC, with milliseconds) and signature (128 hex digits)',
});

export const TargetRequest = z
  .object({
    price: price.meta({ description: 'Price of the target' }),
    fraction: z.number().positive().max(1).meta({ description: 'Part of the position that exits there' }),
  })
  .meta({ id: 'TargetRequest', description: 'A target of a signal' });

export const SignalRequest = z
  .object({
    symbol,
    direction: Direction.meta({ allowed: 'buy or sell' }),
    entry: requestPrice(PRICES.entry),
    stop_loss: requestPrice(PRICES.stop_loss),
    take_profit: price.optional().meta({
      description: `${PRICES.take_profit}. Required without \`targets\`; with them it is the price of the last one`,
      allowed: 'a number above 0',
    }),
    targets: z
      .array(TargetRequest)
      .min(1)
      .max(MAX_TARGETS)
      .optional()
      .meta({
        description: 'Where the parts of the position exit, nearest first. The fractions add up to 1',
        allowed: `a list of 1 to ${MAX_TARGETS} objects, each with price (a number above 0) and fraction (above 0, up to 1)`,
      }),
    breakeven_after: z.int().positive().optional().meta({
      description: 'Number of targets after which the stop moves to the entry. By default it never does',
      allowed: 'an integer of at least 1',
    }),
    ...optional,
    signed,
  })
  .refine(({ take_profit, targets }) => take_profit !== undefined || targets !== undefined, {
    path: ['take_profit'],
    // Reported together with the faults of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .meta({ id: 'SignalRequest', description: 'A signal to publish' });
export type SignalRequest = z.infer<typeof SignalRequest>;

export const AmendRequest = z
  .object({
    stop_loss: requestPrice('The new stop: tighter than the stop in force, so higher for a buy and lower for a sell'),
    signed,
  })
  .meta({ id: 'AmendRequest', description: 'A tighter stop for a signal' });
export type AmendRequest = z.infer<typeof AmendRequest>;

export const CloseSignalRequest = z
  .object({ signed })
  .meta({ id: 'CloseSignalRequest', description: 'A request to close a signal' });
export type CloseSignalRequest = z.infer<typeof CloseSignalRequest>;

export const VoidRequest = z
  .object({
    reason: z
      .string()
      .refine((reason) => PLAIN_TEXT.test(reason) && /\S/.test(reason))
      .meta({
        description: 'Why the signal is voided, plain text. Everyone can read it, and it stays in the log for good',
        allowed: `a text of 1 to ${MAX_NOTE} characters that is not blank, without control characters`,
        minLength: 1,
        maxLength: MAX_NOTE,
        pattern: PLAIN_TEXT_PATTERN,
      }),
  })
  .meta({ id: 'VoidRequest', description: 'The reason for which a signal is voided' });
export type VoidRequest = z.infer<typeof VoidRequest>;

export const SigningKeyRequest = z
  .object({
    public_key: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({
        description: 'Ed25519 public key, 32 bytes, hex; `null` removes the key',
        allowed: '64 hex digits in lower case, or null',
      }),
  })
  .meta({ id: 'SigningKeyRequest', description: 'The key with which the account signs its requests about signals' });
export type SigningKeyRequest = z.infer<typeof SigningKeyRequest>;

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
