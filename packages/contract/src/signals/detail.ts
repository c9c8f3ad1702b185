// One signal in detail, and the log records that prove it.
import { z } from 'zod';
import { SignalWindows } from '../calendar/schemas.ts';
import { ItemCount, integer, nullable, number, Timestamp, text, timestamp } from '../common/values.ts';
import { LogEntry, LogHead } from './log.ts';
import { Hash, OrderKind } from './records.ts';
import { ActiveSignal, ClosedSignal, Signal, SignalState, Target } from './schemas.ts';

const SignalExit = z
  .object({
    target: integer('Number of the target, starting at 1'),
    fraction: number('Part of the position that exited'),
    price: number('Exit price'),
    exited_at: timestamp('Time of the exit'),
  })
  .meta({ id: 'SignalExit', description: 'A part of the position that exited at a target' });

const filledAt = nullable(Timestamp, 'Time of the fill (ISO 8601, UTC); `null` if it is not filled');

const detail = {
  publisher: text('Id of the publisher, which never changes'),
  rules: integer('Version of the rules by which it is judged'),
  order: OrderKind,
  state: SignalState,
  targets: z.array(Target).meta({ description: 'Targets, nearest first. The last one is `take_profit`' }),
  breakeven_after: nullable(
    z.int(),
    'Number of targets after which the stop moves to the entry; `null` if it never does',
  ),
  expires_at: timestamp('Deadline in force: of the entry while it is pending, then of the signal'),
  note: nullable(z.string(), 'Note of the publisher, plain text; `null` if there is none'),
  entry_price: nullable(z.number(), 'Fill price of the entry; `null` if it is not filled'),
  filled_at: filledAt,
  exits: z.array(SignalExit).meta({ description: 'Parts of the position that exited at targets before the last exit' }),
  current_stop_loss: number(
    'Stop in force, after amendments and `breakeven_after`; the last one if the signal is closed',
  ),
  close_requested_at: nullable(
    Timestamp,
    'Time at which the publisher requested to close it; `null` if that never happened',
  ),
  voided_at: nullable(Timestamp, 'Time at which an operator voided it; `null` if that never happened'),
  voided_reason: nullable(z.string(), "The operator's public reason for voiding it; `null` if it was not voided"),
  signed: z.boolean().meta({ description: 'Whether the publication carries a signature of the publisher' }),
  published_n: integer('Number of the publication record in the log'),
  published_hash: Hash.meta({ description: 'Hash of the publication record' }),
  closed_n: nullable(
    z.int(),
    'Number of the closing record; `null` while the signal is active, and if it was voided before',
  ),
  closed_hash: nullable(Hash, 'Hash of the closing record; `null` if there is none'),
  windows: nullable(
    SignalWindows,
    'Only with `windows=true`: calendar events at the entry and exit; `null` while the signal is active, and if it was never filled',
  ).optional(),
};

export const ActiveSignalDetail = ActiveSignal.extend(detail).meta({
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
export const SignalList = z
  .object({
    items: z.array(anySignal).meta({ description: 'Signals, newest first. With `detail=true`: SignalDetail' }),
    count: ItemCount,
  })
  .meta({ id: 'SignalList', description: 'A page of the signal feed' });

export const PublishedSignal = ActiveSignal.extend({
  order: OrderKind,
  state: z.literal('pending').meta({ description: 'The entry waits for its fill' }),
}).meta({ id: 'PublishedSignal', description: 'A signal that was just published' });
export type PublishedSignal = z.infer<typeof PublishedSignal>;

export const ClosingSignal = ActiveSignal.extend({
  close_requested_at: timestamp('Time at which the publisher requested to close it'),
}).meta({ id: 'ClosingSignal', description: 'An active signal that the next quote of its instrument closes' });
export type ClosingSignal = z.infer<typeof ClosingSignal>;

export const SignalProof = z
  .object({
    published: LogEntry.meta({ description: 'Publication' }),
    closed: nullable(LogEntry, 'Closing; `null` while the signal is active'),
    seals: z
      .array(LogEntry)
      .meta({ description: "Seals of the instrument's tape for the days on which the signal was active" }),
    head: LogHead.meta({ description: 'Current head of the log' }),
    note: nullable(z.string(), 'Text whose hash is `note_sha256` of the publication; `null` if there is none'),
    records: z.array(LogEntry).meta({ description: 'All records about the signal, in order' }),
  })
  .meta({ id: 'SignalProof', description: 'The log records of one signal' });
export type SignalProof = z.infer<typeof SignalProof>;

export const SigningKey = z
  .object({
    public_key: nullable(Hash, 'Ed25519 public key, 32 bytes, hex; `null` if the account has no signing key'),
    n: nullable(z.int(), 'Number of the record that registered or removed it; `null` if there is none'),
  })
  .meta({ id: 'SigningKey', description: 'The key with which the account signs its requests about signals' });
export type SigningKey = z.infer<typeof SigningKey>;
