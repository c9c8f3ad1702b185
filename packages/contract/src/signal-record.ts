// The records of the signal log: what was published, what became of it, and the ticks that decided it. docs/signals.md
// describes each field; a record's hash is the SHA-256 of its canonical JSON.
import { z } from 'zod';
import { CLOSE_REASONS, Direction } from './signal.ts';
import { SymbolCode, Timestamp } from './values.ts';

/** Version of the rules that signals are judged by. */
export const RULES_VERSION = 1;
/** `prev` of the first record. */
export const NO_HASH = '0'.repeat(64);

export const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'SHA-256, hex' });

const evidence = {
  seq: z.int(),
  time: Timestamp,
  source: z.string().meta({ description: 'The feed, or `push:` and the publisher id of who pushed it' }),
};
export const QuoteEvidence = z
  .object({ kind: z.literal('quote'), ...evidence, bid: z.number(), ask: z.number() })
  .meta({ id: 'QuoteEvidence' });
export const TradeEvidence = z
  .object({
    kind: z.literal('trade'),
    ...evidence,
    price: z.number(),
    side: Direction,
    spread: z.number().meta({ description: 'Of the last quote before: how far away the other side is taken to be' }),
  })
  .meta({ id: 'TradeEvidence', description: 'A missed trade that was fetched: it stands for the side it took' });
export const BarEvidence = z
  .object({
    kind: z.literal('bar'),
    ...evidence,
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    spread: z.number().meta({ description: 'Of the last quote before: the ask is the bid plus this' }),
  })
  .meta({ id: 'BarEvidence', description: 'A minute that could be had only as a bar' });
export const Evidence = z
  .discriminatedUnion('kind', [QuoteEvidence, TradeEvidence, BarEvidence])
  .meta({ id: 'Evidence' });
export type QuoteEvidence = z.infer<typeof QuoteEvidence>;
export type Evidence = z.infer<typeof Evidence>;

export const ORDER_KINDS = ['market', 'limit', 'stop'] as const;

const common = {
  n: z.int().nonnegative(),
  prev: Hash,
  rules: z.int(),
  at: Timestamp.meta({ description: 'When the record was written' }),
};
const Specification = z
  .object({ digits: z.int(), pip_size: z.number() })
  .meta({ id: 'SignalSpecification', description: 'Of the instrument at the time of publication' });

export const OpenedRecord = z
  .object({
    ...common,
    type: z.literal('opened'),
    log: z.string(),
    realm: z.enum(['sim', 'live', 'replay']),
    public_key: z.string().meta({ description: 'Ed25519, 32 bytes, hex' }),
  })
  .meta({ id: 'OpenedRecord' });

export const PublishedRecord = z
  .object({
    ...common,
    type: z.literal('published'),
    signal: z.string(),
    publisher: z.string(),
    symbol: SymbolCode,
    direction: Direction,
    entry: z.number(),
    stop_loss: z.number(),
    take_profit: z.number(),
    order: z.enum(ORDER_KINDS),
    entry_deadline: Timestamp,
    deadline: Timestamp,
    entry_price: z.number().optional().meta({ description: 'Of a market entry: where it filled' }),
    note_sha256: Hash.optional(),
    instrument: Specification,
    quote: QuoteEvidence,
  })
  .meta({ id: 'PublishedRecord' });
export type PublishedRecord = z.infer<typeof PublishedRecord>;

export const ClosedRecord = z
  .object({
    ...common,
    type: z.literal('closed'),
    signal: z.string(),
    publisher: z.string(),
    symbol: SymbolCode,
    instrument: Specification,
    reason: z.enum(CLOSE_REASONS),
    entry_price: z.number().nullable(),
    exit_price: z.number().nullable(),
    closed_at: Timestamp,
    pnl: z.number(),
    pnl_percent: z.number(),
    pnl_r: z.number(),
    pnl_best: z.number().optional(),
    gap_from: Timestamp.optional(),
    gap_to: Timestamp.optional(),
    self_sourced: z.literal(true).optional(),
    recovered: z.enum(['tape', 'backfill']).optional(),
    filled: Evidence.nullable(),
    decided: Evidence,
    decided_seq: z.int(),
  })
  .meta({ id: 'ClosedRecord' });
export type ClosedRecord = z.infer<typeof ClosedRecord>;

export const TapeSeal = z
  .object({
    ...common,
    type: z.literal('tape'),
    day: z.iso.date(),
    symbol: SymbolCode,
    ticks: z.int(),
    sha256: Hash,
  })
  .meta({ id: 'TapeSeal', description: "A UTC day of an instrument's tape is sealed" });
export type TapeSeal = z.infer<typeof TapeSeal>;

export const LogRecord = z
  .discriminatedUnion('type', [OpenedRecord, PublishedRecord, ClosedRecord, TapeSeal])
  .meta({ id: 'LogRecord' });
export type OpenedRecord = z.infer<typeof OpenedRecord>;
export type LogRecord = z.infer<typeof LogRecord>;

export const LogEntry = z.object({ hash: Hash, record: LogRecord }).meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

export const LogHead = z
  .object({
    log: z.string(),
    n: z.int(),
    hash: Hash,
    at: Timestamp,
    public_key: z.string(),
    signature: z.string().meta({ description: 'Ed25519 over the canonical JSON of log, n, hash and at; hex' }),
  })
  .meta({ id: 'LogHead' });
export type LogHead = z.infer<typeof LogHead>;
