// Records of the signal log: everything that happens to a signal. docs/reference/signals.md describes the format; the hash of a record is
// the SHA-256 of its canonical JSON.
import { z } from 'zod';
import { integer, namedObject, nullable, number, SymbolCode, text, timestamp } from '../common/values.ts';
import { Evidence, QuoteEvidence } from './evidence.ts';
import {
  CloseReason,
  closingFields,
  closingNotes,
  MAX_SLIPPAGE,
  RECOVERED,
  SignalTarget,
  signalLevels,
} from './schemas.ts';

/** `rules` of every record. */
export const RULES_VERSION = 2;
/** `prev` of the first record. */
export const NO_HASH = '0'.repeat(64);

export const hash = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description });
export const Hash = hash('SHA-256, hex');
const PublicKey = hash('Ed25519 public key, 32 bytes, hex');
const Signature = z
  .string()
  .regex(/^[0-9a-f]{128}$/)
  .meta({ description: 'Ed25519 signature, 64 bytes, hex' });

export const ORDER_KINDS = ['market', 'limit', 'stop'] as const;
export const OrderKind = z.enum(ORDER_KINDS).meta({ description: 'Kind of entry order' });
export type OrderKind = z.infer<typeof OrderKind>;

const common = {
  n: z.int().nonnegative().meta({ description: 'Number, starting at 0' }),
  prev: hash('Hash of the previous record; 64 zeros in the first one'),
  rules: integer(`Version of the rules, always ${RULES_VERSION}`),
  at: timestamp('Time at which the record was written'),
};
export const RecordFields = namedObject('RecordFields', 'Fields of every record of the signal log', () => common);
const ofType = <const T extends string>(value: T) => ({
  ...common,
  type: z.literal(value).meta({ description: 'Kind' }),
});
const subject = { signal: text('Id of the signal'), publisher: text('Id of the publisher'), symbol: SymbolCode };
export const SignalRecordFields = namedObject('SignalRecordFields', 'Fields of every record about a signal', () => ({
  ...common,
  ...subject,
}));
const ofSignal = <const T extends string>(value: T) => ({ ...ofType(value), ...subject });
const standingQuote = (description: string) => QuoteEvidence.meta({ description });

export const SignalSpecification = namedObject(
  'SignalSpecification',
  'Specification of the instrument at publication',
  () => ({ digits: integer('Decimal places of a price'), pip_size: number('Size of one pip, in price units') }),
);

/** The signature that a request carries. */
export const RequestSignature = namedObject('RequestSignature', 'Signature of the request', () => ({
  signed_at: timestamp('Time of the signature, at most 30 s off'),
  signature: Signature,
}));
export type RequestSignature = z.infer<typeof RequestSignature>;
export const RecordSignature = RequestSignature.extend({ public_key: PublicKey }).meta({
  id: 'RecordSignature',
  description: 'Signature of the publisher and its key',
});
const signed = RecordSignature.optional().meta({ description: 'Required with a signing key' });
const recovered = RECOVERED.optional();

export const OpenedRecord = namedObject('OpenedRecord', 'First record of a log', () => ({
  ...ofType('opened'),
  log: text('Id of the log'),
  realm: z.enum(['sim', 'live', 'replay']).meta({ description: 'Kind of market data that the log is based on' }),
  public_key: text('Ed25519 key that signs the heads, 32 bytes, hex'),
}));

export const PublishedRecord = namedObject('PublishedRecord', 'Publication of a signal', () => ({
  ...ofSignal('published'),
  ...signalLevels,
  targets: z.array(SignalTarget).optional().meta({ description: 'Targets, nearest first' }),
  breakeven_after: integer('Targets after which the stop moves to the entry').optional(),
  order: OrderKind,
  /** Present if a market order was requested; `null` without a limit. */
  max_slippage: nullable(z.number(), MAX_SLIPPAGE).optional(),
  entry_deadline: timestamp('Deadline of a pending entry'),
  deadline: timestamp('Deadline of the open signal'),
  note_sha256: hash('SHA-256 of the note, hex; present if there is a note').optional(),
  signed,
  instrument: SignalSpecification,
  quote: standingQuote('Quote against which the signal was accepted'),
}));

export const FilledRecord = namedObject('FilledRecord', 'Fill of the entry of a signal', () => ({
  ...ofSignal('filled'),
  entry_price: number('Fill price of the entry; `null` if not filled'),
  filled_at: timestamp('Time of the fill'),
  filled: Evidence.meta({ description: 'Event that filled the entry' }),
  recovered,
}));

export const ExitedRecord = namedObject(
  'ExitedRecord',
  'Exit of a part of the position at a target, except the last',
  () => ({
    ...ofSignal('exited'),
    target: integer('Number of the target, starting at 1'),
    fraction: number('Part of the position, up to 1'),
    price: number('Price'),
    exited_at: timestamp('Time of the exit'),
    decided: Evidence.meta({ description: 'Event that reached the target' }),
    recovered,
  }),
);

export const AmendedRecord = namedObject('AmendedRecord', 'A tighter stop of a signal', () => ({
  ...ofSignal('amended'),
  stop_loss: number('The tighter stop'),
  signed,
  quote: standingQuote('Newest quote at the time: later ones are judged by the tighter stop'),
}));

export const CloseRequestedRecord = namedObject(
  'CloseRequestedRecord',
  'Request of the publisher to close or withdraw a signal',
  () => ({
    ...ofSignal('close_requested'),
    signed,
    quote: standingQuote('Newest quote at the time: the next one closes the signal'),
  }),
);

const { closed_at, entry_price, exit_price, ...profit } = closingFields;

export const ClosedRecord = namedObject('ClosedRecord', 'Closing of a signal', () => ({
  ...ofSignal('closed'),
  instrument: SignalSpecification,
  reason: CloseReason.exclude(['voided']).meta({ description: 'Why the signal closed' }),
  entry_price,
  exit_price,
  last_exit: z
    .object({ fraction: number('Part of the position, up to 1'), price: number('Price') })
    .nullable()
    .meta({ description: 'The last exit; `null` if the entry was not filled' }),
  closed_at,
  ...profit,
  ...closingNotes,
  filled: nullable(Evidence, 'Event that filled the entry; `null` if none did'),
  decided: Evidence.meta({
    description: 'Event that closed the signal; if a deadline did, the last one before it',
  }),
  decided_seq: integer('Sequence number up to which, inclusive, events were considered'),
}));

export const VoidedRecord = namedObject('VoidedRecord', 'An operator voided a signal', () => ({
  ...ofSignal('voided'),
  reason: text('Why the operator voided the signal'),
}));

export const PublisherKeyRecord = namedObject('PublisherKeyRecord', 'Change of the signing key of a publisher', () => ({
  ...ofType('publisher_key'),
  publisher: text('Id of the publisher'),
  public_key: nullable(PublicKey, 'Signing key from now on; `null` if it was removed'),
}));

export const TapeSeal = namedObject('TapeSeal', "Hash of one UTC day of an instrument's tape", () => ({
  ...ofType('tape'),
  day: z.iso.date().meta({ description: 'UTC day' }),
  symbol: SymbolCode,
  ticks: integer('Number of ticks of the day'),
  sha256: hash('SHA-256 of the tape, hex'),
}));

export const FeedRecord = namedObject('FeedRecord', 'Loss of prices of an instrument', () => ({
  ...ofType('feed'),
  symbol: SymbolCode,
  event: z.enum(['disconnect', 'gap', 'failover']).meta({ description: 'Kind' }),
  seq: integer('Sequence number'),
  from: timestamp('Start'),
  to: timestamp('End'),
}));

export const LogRecord = z
  .discriminatedUnion('type', [
    OpenedRecord,
    PublishedRecord,
    FilledRecord,
    ExitedRecord,
    AmendedRecord,
    CloseRequestedRecord,
    ClosedRecord,
    VoidedRecord,
    PublisherKeyRecord,
    TapeSeal,
    FeedRecord,
  ])
  .meta({ id: 'LogRecord', description: 'A record of the signal log' });

export type OpenedRecord = z.infer<typeof OpenedRecord>;
export type PublishedRecord = z.infer<typeof PublishedRecord>;
export type FilledRecord = z.infer<typeof FilledRecord>;
export type ExitedRecord = z.infer<typeof ExitedRecord>;
export type AmendedRecord = z.infer<typeof AmendedRecord>;
export type CloseRequestedRecord = z.infer<typeof CloseRequestedRecord>;
export type ClosedRecord = z.infer<typeof ClosedRecord>;
export type VoidedRecord = z.infer<typeof VoidedRecord>;
export type PublisherKeyRecord = z.infer<typeof PublisherKeyRecord>;
export type FeedRecord = z.infer<typeof FeedRecord>;
export type TapeSeal = z.infer<typeof TapeSeal>;
export type LogRecord = z.infer<typeof LogRecord>;
/** Records about one signal. */
export type SignalRecord = Extract<LogRecord, { readonly signal: string }>;
