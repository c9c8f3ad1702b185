// One signal in detail, and the log records that prove it.
import { z } from 'zod';
import { SignalWindows } from '../calendar/schemas.ts';
import { integer, namedList, namedObject, nullable, number, Timestamp, text, timestamp } from '../common/values.ts';
import { LogEntry, LogHead } from './log.ts';
import { Hash, OrderKind } from './records.ts';
import { ActiveSignal, ClosedSignal, MAX_SLIPPAGE, Signal, SignalState, SignalTarget } from './schemas.ts';

export const SignalExit = namedObject('SignalExit', 'A part of the position that exited at a target', () => ({
  target: integer('Number of the target, starting at 1'),
  fraction: number('Part of the position, up to 1'),
  price: number('Price'),
  exited_at: timestamp('Time of the exit'),
}));

const filledAt = nullable(Timestamp, 'Time of the fill; `null` if not filled');

const detail = {
  publisher: text('Id of the publisher'),
  order: OrderKind,
  max_slippage: nullable(z.number(), MAX_SLIPPAGE),
  state: SignalState,
  targets: z.array(SignalTarget).meta({ description: 'Targets, nearest first' }),
  breakeven_after: nullable(z.int(), 'Targets after which the stop moves to the entry; `null` if never'),
  expires_at: timestamp('Deadline of the entry while it is pending, then of the signal'),
  note: nullable(z.string(), 'Note of the publisher, plain text'),
  filled_at: filledAt,
  exits: z.array(SignalExit).meta({ description: 'Exits at targets before the last one' }),
  current_stop_loss: number('Stop in force, or the last one of a closed signal'),
  close_requested_at: nullable(
    Timestamp,
    'Time at which the publisher requested to close it; `null` if that never happened',
  ),
  voided_at: nullable(Timestamp, 'Time at which an operator voided it; `null` if that never happened'),
  voided_reason: nullable(z.string(), "The operator's public reason for voiding it; `null` if it was not voided"),
  signed: z.boolean().meta({ description: 'Whether the publisher signed the publication' }),
  published_n: integer('Number of the publication record'),
  published_hash: Hash.meta({ description: 'Hash of the publication record' }),
  closed_n: nullable(z.int(), 'Number of the closing record; `null` if there is none'),
  closed_hash: nullable(Hash, 'Hash of the closing record; `null` if there is none'),
  windows: nullable(
    SignalWindows,
    'With `windows=true`: calendar events at the entry and exit; `null` if active or never filled',
  ).optional(),
};

export const SignalDetailFields = namedObject(
  'SignalDetailFields',
  'Fields of active and closed signals in detail',
  () => detail,
);
export const ActiveSignalDetail = ActiveSignal.extend({
  entry_price: nullable(z.number(), 'Fill price of the entry; `null` if not filled'),
  ...detail,
}).meta({
  id: 'ActiveSignalDetail',
  description: 'An active signal in detail',
});
export const ClosedSignalDetail = ClosedSignal.extend(detail).meta({
  id: 'ClosedSignalDetail',
  description: 'A closed signal in detail',
});
export const SignalDetail = z
  .discriminatedUnion('status', [ActiveSignalDetail, ClosedSignalDetail])
  .meta({ id: 'SignalDetail', description: 'A signal in detail' });
export type SignalDetail = z.infer<typeof SignalDetail>;

/** The detail first: parsing with the shorter form would drop fields. */
const anySignal = z.union([SignalDetail, Signal]);
export const SignalList = namedList(
  'SignalList',
  'A page of the signal feed',
  anySignal,
  'Signals, newest first. With `detail=true`: SignalDetail',
);
export type SignalList = z.infer<typeof SignalList>;

export const PublishedSignal = ActiveSignal.extend({
  order: OrderKind,
  state: z.literal('pending').meta({ description: 'The entry waits for its fill' }),
}).meta({ id: 'PublishedSignal', description: 'A signal that was just published' });
export type PublishedSignal = z.infer<typeof PublishedSignal>;

export const ClosingSignal = ActiveSignal.extend({
  close_requested_at: timestamp('Time at which the publisher requested the closing'),
}).meta({ id: 'ClosingSignal', description: 'An active signal that the next quote closes' });
export type ClosingSignal = z.infer<typeof ClosingSignal>;

export const SignalProof = namedObject('SignalProof', 'The log records of one signal', () => ({
  published: LogEntry.meta({ description: 'Publication' }),
  closed: nullable(LogEntry, 'Closing; `null` while the signal is active'),
  seals: z
    .array(LogEntry)
    .meta({ description: "Seals of the instrument's tape for the days on which the signal was active" }),
  head: LogHead.meta({ description: 'Current head of the log' }),
  note: nullable(z.string(), 'Text whose hash is `note_sha256` of the publication'),
  records: z.array(LogEntry).meta({ description: 'All records about the signal, in order' }),
}));
export type SignalProof = z.infer<typeof SignalProof>;

export const SigningKey = namedObject('SigningKey', 'Signing key of the account', () => ({
  public_key: nullable(Hash, 'Ed25519 public key, 32 bytes, hex; `null` if the account has no signing key'),
  n: nullable(z.int(), 'Number of the record that registered or removed it; `null` if there is none'),
}));
export type SigningKey = z.infer<typeof SigningKey>;
