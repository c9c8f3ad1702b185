// Records of the signal log: everything that happens to a signal. docs/signals.md describes the format; the hash of a record is
// the SHA-256 of its canonical JSON.
import { z } from 'zod';
import { integer, nullable, number, SymbolCode, text, timestamp } from '../common/values.ts';
import { Evidence, QuoteEvidence } from './evidence.ts';
import { CloseReason, closingFields, closingNotes, RECOVERED, signalLevels, Target } from './schemas.ts';

/** Version of the rules by which new signals are judged. */
export const RULES_VERSION = 2;
export type RulesVersion = 1 | 2;
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
  n: z.int().nonnegative().meta({ description: 'Number of the record, starting at 0' }),
  prev: hash('Hash of the previous record; 64 zeros in the first one'),
  rules: integer('Version of the rules'),
  at: timestamp('Time at which the record was written'),
};
const ofType = <const T extends string>(value: T) => ({
  ...common,
  type: z.literal(value).meta({ description: `Kind of the record: \`${value}\`` }),
});
const ofSignal = <const T extends string>(value: T) => ({
  ...ofType(value),
  signal: text('Id of the signal'),
  publisher: text('Id of the publisher'),
  symbol: SymbolCode,
});
const standingQuote = (description: string) => QuoteEvidence.meta({ description });

const Specification = z
  .object({ digits: integer('Decimal places of a price'), pip_size: number('Size of one pip, in price units') })
  .meta({ id: 'SignalSpecification', description: 'Specification of the instrument at the time of publication' });

/** The signature that a request carries. */
export const RequestSignature = z
  .object({
    signed_at: timestamp('Time of the signature, within 30 s of the clock of the service'),
    signature: Signature,
  })
  .meta({ id: 'RequestSignature', description: 'Signature of the request with the signing key of the publisher' });
export type RequestSignature = z.infer<typeof RequestSignature>;
const RecordSignature = RequestSignature.extend({ public_key: PublicKey }).meta({
  id: 'RecordSignature',
  description: 'Signature of the publisher, with the key that it was checked against',
});
const signed = RecordSignature.optional().meta({ description: 'Present if the publisher has a signing key' });
const recovered = RECOVERED.optional();

export const OpenedRecord = z
  .object({
    ...ofType('opened'),
    log: text('Id of the log'),
    realm: z.enum(['sim', 'live', 'replay']).meta({ description: 'Kind of market data that the log is based on' }),
    public_key: text('Ed25519 key that signs the heads, 32 bytes, hex'),
  })
  .meta({ id: 'OpenedRecord', description: 'First record of a log' });

export const PublishedRecord = z
  .object({
    ...ofSignal('published'),
    ...signalLevels,
    targets: z.array(Target).optional().meta({ description: 'Targets, nearest first; present if they were requested' }),
    breakeven_after: integer('Number of targets after which the stop moves to the entry').optional(),
    order: OrderKind,
    entry_deadline: timestamp('Deadline of a pending entry'),
    deadline: timestamp('Deadline of the open signal'),
    entry_price: number('Rules version 1 only: fill price of a market entry').optional(),
    note_sha256: hash('SHA-256 of the note, hex; present if there is a note').optional(),
    signed,
    instrument: Specification,
    quote: standingQuote('Quote against which the signal was accepted'),
  })
  .meta({ id: 'PublishedRecord', description: 'Publication of a signal' });

export const FilledRecord = z
  .object({
    ...ofSignal('filled'),
    entry_price: number('Fill price'),
    filled_at: timestamp('Time of the fill'),
    filled: Evidence.meta({ description: 'Event that filled the entry' }),
    recovered,
  })
  .meta({ id: 'FilledRecord', description: 'Fill of the entry of a signal' });

export const ExitedRecord = z
  .object({
    ...ofSignal('exited'),
    target: integer('Number of the target, starting at 1'),
    fraction: number('Part of the position that exited'),
    price: number('Exit price'),
    exited_at: timestamp('Time of the exit'),
    decided: Evidence.meta({ description: 'Event that reached the target' }),
    recovered,
  })
  .meta({
    id: 'ExitedRecord',
    description: 'Exit of a part of the position at a target. The last exit is in the closing',
  });

export const AmendedRecord = z
  .object({
    ...ofSignal('amended'),
    stop_loss: number('The tighter stop'),
    signed,
    quote: standingQuote('Newest quote at the time: later ones are judged by the tighter stop'),
  })
  .meta({ id: 'AmendedRecord', description: 'A tighter stop of a signal' });

export const CloseRequestedRecord = z
  .object({
    ...ofSignal('close_requested'),
    signed,
    quote: standingQuote('Newest quote at the time: the next one closes the signal'),
  })
  .meta({ id: 'CloseRequestedRecord', description: 'Request of the publisher to close or withdraw a signal' });

const { closed_at, entry_price, exit_price, ...profit } = closingFields;

export const ClosedRecord = z
  .object({
    ...ofSignal('closed'),
    instrument: Specification,
    reason: CloseReason.exclude(['voided']).meta({ description: 'Why the signal closed' }),
    entry_price,
    exit_price,
    last_exit: z
      .object({ fraction: number('Part of the position'), price: number('Exit price') })
      .nullable()
      .optional()
      .meta({
        description: 'The last exit; `null` if the entry was not filled. Missing under rules version 1',
      }),
    closed_at,
    ...profit,
    ...closingNotes,
    filled: nullable(Evidence, 'Event that filled the entry; `null` if none did'),
    decided: Evidence.meta({
      description: 'Event that closed the signal; if a deadline did, the last one before it',
    }),
    decided_seq: integer('Sequence number up to which, inclusive, events were considered'),
  })
  .meta({ id: 'ClosedRecord', description: 'Closing of a signal' });

export const VoidedRecord = z
  .object({ ...ofSignal('voided'), reason: text('Why the operator voided the signal') })
  .meta({ id: 'VoidedRecord', description: 'An operator voided a signal: it counts as if it had not been published' });

export const PublisherKeyRecord = z
  .object({
    ...ofType('publisher_key'),
    publisher: text('Id of the publisher'),
    public_key: nullable(PublicKey, 'Signing key from now on; `null` if it was removed'),
  })
  .meta({ id: 'PublisherKeyRecord', description: 'Change of the signing key of a publisher' });

export const TapeSeal = z
  .object({
    ...ofType('tape'),
    day: z.iso.date().meta({ description: 'UTC day' }),
    symbol: SymbolCode,
    ticks: integer('Number of ticks of the day'),
    sha256: hash('SHA-256 of the tape, hex'),
  })
  .meta({ id: 'TapeSeal', description: "Hash of one UTC day of an instrument's tape" });

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
export type TapeSeal = z.infer<typeof TapeSeal>;
export type LogRecord = z.infer<typeof LogRecord>;
/** Records about one signal. */
export type SignalRecord = Extract<LogRecord, { readonly signal: string }>;
