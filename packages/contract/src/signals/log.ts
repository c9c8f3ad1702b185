// Records of the signal log: publications, closings and the ticks that decided them. docs/signals.md describes the format;
// the hash of a record is the SHA-256 of its canonical JSON.
import { z } from 'zod';
import { ItemCount, integer, integerQuery, nullable, number, SymbolCode, text, timestamp } from '../common/values.ts';
import { CloseReason, closingFields, closingNotes, Direction, signalLevels } from './schemas.ts';

/** Version of the rules by which signals are judged. */
export const RULES_VERSION = 1;
/** `prev` of the first record. */
export const NO_HASH = '0'.repeat(64);

const hash = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description });
export const Hash = hash('SHA-256, hex');
const type = (value: string) => `Kind of the record: \`${value}\``;

const evidence = {
  seq: integer('Sequence number of the event'),
  time: timestamp('Time of the event'),
  source: text('Feed that delivered the event, or `push:` and the publisher id of the account that pushed it'),
};
const kind = { description: 'Kind of the evidence' };
export const QuoteEvidence = z
  .object({ kind: z.literal('quote').meta(kind), ...evidence, bid: number('Bid'), ask: number('Ask') })
  .meta({ id: 'QuoteEvidence', description: 'A quote' });
export const TradeEvidence = z
  .object({
    kind: z.literal('trade').meta(kind),
    ...evidence,
    price: number('Price of the trade'),
    side: Direction.meta({ description: 'Side of the taker' }),
    spread: number('Spread of the last quote before it, from which the other side of the market is derived'),
  })
  .meta({
    id: 'TradeEvidence',
    description: 'A missed trade that was fetched later. It gives the price of the side it traded on',
  });
export const BarEvidence = z
  .object({
    kind: z.literal('bar').meta(kind),
    ...evidence,
    open: number('First bid of the minute'),
    high: number('Highest bid of the minute'),
    low: number('Lowest bid of the minute'),
    close: number('Last bid of the minute'),
    spread: number('Spread of the last quote before it: the ask is the bid plus this value'),
  })
  .meta({ id: 'BarEvidence', description: 'A minute for which only a bar was available' });
export const Evidence = z
  .discriminatedUnion('kind', [QuoteEvidence, TradeEvidence, BarEvidence])
  .meta({ id: 'Evidence', description: 'The market event that decided a fill or a closing' });
export type QuoteEvidence = z.infer<typeof QuoteEvidence>;
export type Evidence = z.infer<typeof Evidence>;

export const ORDER_KINDS = ['market', 'limit', 'stop'] as const;
export const OrderKind = z.enum(ORDER_KINDS).meta({ description: 'Kind of entry order' });

const common = {
  n: z.int().nonnegative().meta({ description: 'Number of the record, starting at 0' }),
  prev: hash('Hash of the previous record; 64 zeros in the first one'),
  rules: integer('Version of the rules'),
  at: timestamp('Time at which the record was written'),
};
const Specification = z
  .object({ digits: integer('Decimal places of a price'), pip_size: number('Size of one pip, in price units') })
  .meta({ id: 'SignalSpecification', description: 'Specification of the instrument at the time of publication' });

export const OpenedRecord = z
  .object({
    ...common,
    type: z.literal('opened').meta({ description: type('opened') }),
    log: text('Id of the log'),
    realm: z.enum(['sim', 'live', 'replay']).meta({ description: 'Kind of market data that the log is based on' }),
    public_key: text('Ed25519 key that signs the heads, 32 bytes, hex'),
  })
  .meta({ id: 'OpenedRecord', description: 'First record of a log' });

export const PublishedRecord = z
  .object({
    ...common,
    type: z.literal('published').meta({ description: type('published') }),
    signal: text('Id of the signal'),
    publisher: text('Id of the publisher'),
    symbol: SymbolCode,
    ...signalLevels,
    order: OrderKind,
    entry_deadline: timestamp('Deadline of a pending entry'),
    deadline: timestamp('Deadline of the filled signal'),
    entry_price: number('Fill price; present if the entry was filled at the market').optional(),
    note_sha256: hash('SHA-256 of the note, hex; present if there is a note').optional(),
    instrument: Specification,
    quote: QuoteEvidence.meta({ description: 'Quote against which the signal was accepted' }),
  })
  .meta({ id: 'PublishedRecord', description: 'Publication of a signal' });
export type PublishedRecord = z.infer<typeof PublishedRecord>;

const { closed_at, entry_price, exit_price, ...profit } = closingFields;

export const ClosedRecord = z
  .object({
    ...common,
    type: z.literal('closed').meta({ description: type('closed') }),
    signal: text('Id of the signal'),
    publisher: text('Id of the publisher'),
    symbol: SymbolCode,
    instrument: Specification,
    reason: CloseReason,
    entry_price,
    exit_price,
    closed_at,
    ...profit,
    ...closingNotes,
    filled: nullable(
      Evidence,
      'Event that filled a pending entry; `null` if the entry was filled at publication, or never',
    ),
    decided: Evidence.meta({
      description: 'Event that closed the signal; for `expired`, `unfilled` and `manual` the last event before',
    }),
    decided_seq: integer('Sequence number up to which, inclusive, quotes were considered'),
  })
  .meta({ id: 'ClosedRecord', description: 'Closing of a signal' });
export type ClosedRecord = z.infer<typeof ClosedRecord>;

export const TapeSeal = z
  .object({
    ...common,
    type: z.literal('tape').meta({ description: type('tape') }),
    day: z.iso.date().meta({ description: 'UTC day' }),
    symbol: SymbolCode,
    ticks: integer('Number of ticks of the day'),
    sha256: hash('SHA-256 of the tape, hex'),
  })
  .meta({ id: 'TapeSeal', description: "Hash of one UTC day of an instrument's tape" });
export type TapeSeal = z.infer<typeof TapeSeal>;

export const LogRecord = z
  .discriminatedUnion('type', [OpenedRecord, PublishedRecord, ClosedRecord, TapeSeal])
  .meta({ id: 'LogRecord', description: 'A record of the signal log' });
export type OpenedRecord = z.infer<typeof OpenedRecord>;
export type LogRecord = z.infer<typeof LogRecord>;

export const LogEntry = z
  .object({ hash: hash('SHA-256 of the canonical JSON of `record`, hex'), record: LogRecord })
  .meta({ id: 'LogEntry', description: 'A record of the signal log with its hash' });
export type LogEntry = z.infer<typeof LogEntry>;

export const LogHead = z
  .object({
    log: text('Id of the log'),
    n: integer('Number of the last record'),
    hash: hash('Hash of the last record, hex'),
    at: timestamp('Time of the signature'),
    public_key: text('Ed25519 public key, 32 bytes, hex'),
    signature: text('Ed25519 signature of the canonical JSON of `log`, `n`, `hash` and `at`, hex'),
  })
  .meta({ id: 'LogHead', description: 'Signed length and hash of the signal log' });
export type LogHead = z.infer<typeof LogHead>;

export const LogPage = z
  .object({
    items: z.array(LogEntry).meta({ description: 'Records in ascending order' }),
    count: ItemCount,
    next: nullable(z.int(), '`after` of the next page; `null` on the last page'),
  })
  .meta({ id: 'LogPage', description: 'A page of the signal log' });
export type LogPage = z.infer<typeof LogPage>;

export const LogQuery = z.object({
  after: integerQuery('Return only records with a number above this', -1, Number.MAX_SAFE_INTEGER, -1),
  limit: integerQuery('Maximum number of records', 1, 1000, 1000),
});
export type LogQuery = z.infer<typeof LogQuery>;
