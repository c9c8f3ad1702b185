// Builds the records of a log from what the engine decides, by the table of fields in docs/reference/signals.md.
import {
  type AmendedRecord,
  type ClosedRecord,
  type CloseRequestedRecord,
  canonicalJson,
  type ExitedRecord,
  type FilledRecord,
  type LogRecord,
  meanExitPrice,
  NO_HASH,
  NO_PROFIT,
  type PublishedRecord,
  profitOf,
  type Evidence as RecordEvidence,
  RULES_VERSION,
  WHOLE,
} from '@tickwire/contract';
import {
  type Amendment,
  type ClosedVerdict,
  type CloseRequest,
  type Evidence,
  type ExitedVerdict,
  type FilledVerdict,
  fromTicks,
  type InstrumentSpec,
  type Order,
} from '@tickwire/engine';

type Unchained<R> = R extends LogRecord ? Omit<R, 'n' | 'prev'> : never;
export type UnchainedLogRecord = Unchained<LogRecord>;
export type Signed = NonNullable<PublishedRecord['signed']>;

export interface ChainedLine {
  readonly n: number;
  readonly hash: string;
  readonly text: string;
}

/** A log in memory. */
export class ChainedLog {
  readonly lines: ChainedLine[] = [];
  /** `at` of the last record. */
  at = '';
  #prev = NO_HASH;

  write(record: UnchainedLogRecord): void {
    const n = this.lines.length;
    const text = canonicalJson({ ...record, n, prev: this.#prev });
    this.#prev = Bun.CryptoHasher.hash('sha256', text, 'hex');
    this.at = record.at;
    this.lines.push({ n, hash: this.#prev, text });
  }
}

export const isoTime = (time: number): string => new Date(time).toISOString();
const wire = (evidence: Evidence): RecordEvidence => ({ ...evidence, time: isoTime(evidence.time) }) as RecordEvidence;
const wireQuote = (quote: Evidence): PublishedRecord['quote'] => wire(quote) as PublishedRecord['quote'];

/** Builds the records of one signal. */
export class RecordBuilder {
  readonly order: Order;
  readonly publisher: string;
  readonly #spec: InstrumentSpec;

  constructor(order: Order, spec: InstrumentSpec, publisher: string) {
    this.order = order;
    this.publisher = publisher;
    this.#spec = spec;
  }

  /** `isMarketOrder`: as requested, and not by its entry. */
  published(note: string | null = null, signed?: Signed, isMarketOrder = false): Unchained<PublishedRecord> {
    const { order } = this;
    const targets = order.targets.map(({ price, fraction }) => ({
      price: this.#price(price),
      fraction: fraction / WHOLE,
    }));
    return {
      ...this.#common('published', order.publishedAt),
      direction: order.direction,
      entry: this.#price(order.entry),
      stop_loss: this.#price(order.stopLoss),
      take_profit: targets.at(-1)!.price,
      ...(targets.length > 1 && { targets }),
      ...(order.breakevenAfter !== null && { breakeven_after: order.breakevenAfter }),
      order: order.kind,
      ...(isMarketOrder && { max_slippage: order.maxSlippage === null ? null : this.#price(order.maxSlippage) }),
      entry_deadline: isoTime(order.entryDeadline),
      deadline: isoTime(order.deadline),
      ...(note !== null && { note_sha256: Bun.CryptoHasher.hash('sha256', note, 'hex') }),
      ...(signed && { signed }),
      instrument: this.#instrument,
      quote: wireQuote(order.accepted),
    };
  }

  filled({ fill, recovered }: FilledVerdict, at: number): Unchained<FilledRecord> {
    return {
      ...this.#common('filled', at),
      entry_price: this.#price(fill.price),
      filled_at: isoTime(fill.at),
      filled: wire(fill.evidence),
      ...(recovered && { recovered }),
    };
  }

  exited({ target, exit, recovered }: ExitedVerdict, at: number): Unchained<ExitedRecord> {
    return {
      ...this.#common('exited', at),
      target,
      fraction: exit.fraction / WHOLE,
      price: this.#price(exit.price),
      exited_at: isoTime(exit.at),
      decided: wire(exit.evidence),
      ...(recovered && { recovered }),
    };
  }

  amended({ stopLoss, at, quote }: Amendment, signed?: Signed): Unchained<AmendedRecord> {
    const stop = { stop_loss: this.#price(stopLoss), ...(signed && { signed }), quote: wireQuote(quote) };
    return { ...this.#common('amended', at), ...stop };
  }

  closeRequested({ at, quote }: CloseRequest, signed?: Signed): Unchained<CloseRequestedRecord> {
    return { ...this.#common('close_requested', at), ...(signed && { signed }), quote: wireQuote(quote) };
  }

  closed(verdict: ClosedVerdict, at: number): Unchained<ClosedRecord> {
    const { fill, exits, bestExits, gap, recovered } = verdict;
    const { digits, pipSize } = this.#spec;
    const { direction, entry, stopLoss } = this.order;
    const profitAt = (parts: typeof exits) =>
      profitOf({ direction, entry, stopLoss, entryPrice: fill!.price, exits: parts, digits, pipSize });
    const profit = fill ? profitAt(exits) : NO_PROFIT;
    const best = bestExits && profitAt(bestExits).pnl;
    const last = exits.at(-1);
    const lastExit = last ? { fraction: last.fraction / WHOLE, price: this.#price(last.price) } : null;
    return {
      ...this.#common('closed', at),
      instrument: this.#instrument,
      reason: verdict.reason,
      entry_price: fill && this.#price(fill.price),
      exit_price: fill && meanExitPrice(exits, digits),
      last_exit: lastExit,
      closed_at: isoTime(verdict.closedAt),
      ...profit,
      ...(best !== null && { pnl_best: best }),
      ...(gap && { gap_from: isoTime(gap.from), gap_to: isoTime(gap.to) }),
      ...(verdict.sources.includes(`push:${this.publisher}`) && { self_sourced: true as const }),
      ...(recovered && { recovered }),
      filled: fill && wire(fill.evidence),
      decided: wire(verdict.decided),
      decided_seq: verdict.decidedSeq,
    };
  }

  voided(reason: string, at: number): UnchainedLogRecord {
    return { ...this.#common('voided', at), reason };
  }

  get #instrument() {
    return { digits: this.#spec.digits, pip_size: this.#spec.pipSize };
  }

  #common<const T extends string>(type: T, at: number) {
    const { id, symbol } = this.order;
    return { type, rules: RULES_VERSION, at: isoTime(at), signal: id, publisher: this.publisher, symbol };
  }

  #price(ticks: number): number {
    return fromTicks(ticks, this.#spec.digits);
  }
}
