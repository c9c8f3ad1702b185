// Requests of publishers: to publish a signal, from an application or a TradingView alert, to tighten its stop and to close it.
// Requests of operators: to void one.
import { z } from 'zod';
import { MAX_IDEMPOTENCY_KEY } from '../common/endpoint.ts';
import { InstrumentCode, namedObject, plainText, positive } from '../common/values.ts';
import { RequestSignature } from './records.ts';
import { Direction, MAX_SLIPPAGE, MAX_TARGETS } from './schemas.ts';

/** Maximum length of `note`, and of the reason of a void, in code points. */
export const MAX_NOTE = 500;

const PLAIN_TEXT = plainText(MAX_NOTE);
/** The same for clients, in the syntax that Python's `re` and RE2 share: no control characters except tab and line feed. */
const PLAIN_TEXT_PATTERN = '^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$';
const DECIMAL = /^\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?$/;
const SIDES: Readonly<Record<string, Direction>> = { buy: 'buy', long: 'buy', sell: 'sell', short: 'sell' };

const price = z.number().positive();
const PRICES = {
  entry: 'Entry price: a market order if near the market, else a limit or stop order. Required without `order`',
  stop_loss: 'Stop loss price',
  take_profit: 'Take profit price',
} as const;

const slippage = z.number().nonnegative();

const optional = {
  order: z.literal('market').optional().meta({
    description: 'Market order: `entry` becomes the price of the newest quote',
    allowed: 'market, or left out',
  }),
  expires_at: z.iso.datetime({ offset: true }).optional().meta({
    description: 'Deadline, at most 30 days ahead. Default: 24 hours for a pending entry, 30 days for the trade',
    allowed: 'an ISO 8601 time with its offset, such as 2026-03-06T21:00:00Z',
  }),
  note: z
    .string()
    .refine((note) => PLAIN_TEXT.test(note))
    .optional()
    .meta({
      description: 'Note for readers, plain text',
      allowed: `a text of up to ${MAX_NOTE} characters without control characters other than line feeds and tabs`,
      maxLength: MAX_NOTE,
      pattern: PLAIN_TEXT_PATTERN,
    }),
};

const signed = RequestSignature.optional().meta({
  description: 'Required with a signing key',
  allowed: 'an object with signed_at (ISO 8601, UTC, with milliseconds) and signature (128 hex digits)',
});

export const TargetRequest = namedObject('TargetRequest', 'A target of a signal', () => ({
  price: price.meta({ description: 'Price' }),
  fraction: z.number().positive().max(1).meta({ description: 'Part of the position, up to 1' }),
}));

/** Faults of one field that depend on others are reported together with the faults of other fields. */
const together = (path: string, error?: string) => ({
  path: [path],
  ...(error !== undefined && { error }),
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
});

interface RequestedOrder {
  readonly order?: 'market' | undefined;
  readonly entry?: number | undefined;
  readonly max_slippage?: number | undefined;
}

/** A market order has no entry, and no other order has a maximum slippage. */
const withOrderRules = <S extends z.ZodType<RequestedOrder>>(schema: S): S =>
  schema
    .refine(({ order, entry }) => order !== undefined || entry !== undefined, together('entry'))
    .refine(
      ({ order, entry }) => order !== 'market' || entry === undefined,
      together('entry', 'must be left out of a market order'),
    )
    .refine(
      ({ order, max_slippage }) => order !== undefined || max_slippage === undefined,
      together('max_slippage', 'must be left out without "order":"market"'),
    );

export const SignalRequest = withOrderRules(
  z.object({
    symbol: InstrumentCode,
    direction: Direction.meta({ allowed: 'buy or sell' }),
    entry: positive(PRICES.entry).optional(),
    max_slippage: slippage.optional().meta({ description: MAX_SLIPPAGE, allowed: 'a number of at least 0' }),
    stop_loss: positive(PRICES.stop_loss),
    take_profit: positive(`${PRICES.take_profit}: that of the last target. Required without \`targets\``).optional(),
    targets: z
      .array(TargetRequest)
      .min(1)
      .max(MAX_TARGETS)
      .optional()
      .meta({
        description: 'Targets, nearest first; their fractions add up to 1',
        allowed: `a list of 1 to ${MAX_TARGETS} objects, each with price (a number above 0) and fraction (above 0, up to 1)`,
      }),
    breakeven_after: z.int().positive().optional().meta({
      description: 'Targets after which the stop moves to the entry; by default never',
      allowed: 'an integer of at least 1',
    }),
    ...optional,
    signed,
  }),
)
  .refine(({ take_profit, targets }) => take_profit !== undefined || targets !== undefined, together('take_profit'))
  .meta({ id: 'SignalRequest', description: 'A signal to publish' });
export type SignalRequest = z.infer<typeof SignalRequest>;

export const AmendRequest = namedObject('AmendRequest', 'A tighter stop for a signal', () => ({
  stop_loss: positive('The new, tighter stop: higher for a buy, lower for a sell'),
  signed,
}));
export type AmendRequest = z.infer<typeof AmendRequest>;

export const CloseSignalRequest = namedObject('CloseSignalRequest', 'A request to close a signal', () => ({ signed }));
export type CloseSignalRequest = z.infer<typeof CloseSignalRequest>;

export const VoidRequest = namedObject('VoidRequest', 'The reason for which a signal is voided', () => ({
  reason: z
    .string()
    .refine((reason) => PLAIN_TEXT.test(reason) && /\S/.test(reason))
    .meta({
      description: 'Public reason, plain text',
      allowed: `a text of 1 to ${MAX_NOTE} characters that is not blank, without control characters`,
      minLength: 1,
      maxLength: MAX_NOTE,
      pattern: PLAIN_TEXT_PATTERN,
    }),
}));

export const SigningKeyRequest = namedObject('SigningKeyRequest', 'Signing key of the account', () => ({
  public_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .meta({
      description: 'Ed25519 public key, 32 bytes, hex; `null` removes the key',
      allowed: '64 hex digits in lower case, or null',
    }),
}));

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const numeric = (value: unknown): unknown => {
  const decimal = trimmed(value);
  return typeof decimal === 'string' && DECIMAL.test(decimal) ? Number(decimal) : value;
};

const alertNumber = <S extends z.ZodType>(schema: S, description: string, allowed: string, least: object) =>
  z.preprocess(numeric, schema).meta({
    description,
    allowed: `${allowed}, plain or as a text`,
    wire: {
      anyOf: [
        { type: 'number', ...least },
        { type: 'string', pattern: DECIMAL.source },
      ],
    },
  });
const alertPrice = (description: string) =>
  alertNumber(price, description, 'a number above 0', { exclusiveMinimum: 0 });

/** TradingView fills placeholders with texts and writes the exchange before the ticker. Parsing gives a SignalRequest. */
export const TradingViewAlert = withOrderRules(
  z.object({
    symbol: z
      .preprocess((value) => (typeof value === 'string' ? value.trim().replace(/^[^:]*:/, '') : value), InstrumentCode)
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
    entry: alertPrice(PRICES.entry).optional(),
    max_slippage: alertNumber(slippage, MAX_SLIPPAGE, 'a number of at least 0', { minimum: 0 }).optional(),
    stop_loss: alertPrice(PRICES.stop_loss),
    take_profit: alertPrice(PRICES.take_profit),
    ...optional,
    id: z
      .string()
      .min(1)
      .max(MAX_IDEMPOTENCY_KEY)
      .optional()
      .meta({
        description: 'Idempotency key, as in `Idempotency-Key`',
        allowed: `a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
      }),
  }),
).meta({ id: 'TradingViewAlert', description: 'A signal to publish, as a TradingView alert message' });
