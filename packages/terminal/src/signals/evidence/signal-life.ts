// Follows a signal under rules version 2 through its records: whether the evidence in each fills, exits or closes it as recorded.
// Prices are whole ticks, negated for a sell.
import type { Evidence, LogRecord, PublishedRecord } from '@tickwire/client';
import type { TradeExit } from './arithmetic.ts';
import { barOf, currentExit, fillOf, levelsOf, MINUTE, sidesOf, signOf, targetsOf, ticksIn } from './rules.ts';

type RecordOf<T extends LogRecord['type']> = Extract<LogRecord, { type: T }>;
type Standing = { readonly quote: PublishedRecord['quote']; readonly at: string };

const timeOf = (text: string): number => Date.parse(text);
const endOf = (e: Evidence): number => timeOf(e.time) + (e.kind === 'bar' ? MINUTE : 0);
/** An amendment or a request is in force for later events only. */
const isInForce = ({ quote, at }: Standing, e: Evidence): boolean => e.seq > quote.seq && endOf(e) > timeOf(at);

export class SignalLife {
  readonly faults: string[] = [];
  /** Every exit, the last one included. */
  readonly exits: TradeExit[] = [];
  entryPrice: number | null = null;
  readonly #p: PublishedRecord;
  readonly #amendments: RecordOf<'amended'>[] = [];
  #request: Standing | null = null;
  #filled: Evidence | null = null;
  #exitSeq = -1;
  #ended = false;

  constructor(p: PublishedRecord) {
    this.#p = p;
  }

  add(record: LogRecord): void {
    if (this.#ended && record.type !== 'voided') this.#fault('There is a record after the signal ended');
    if (record.type === 'filled') this.#fill(record);
    else if (record.type === 'exited') this.#exit(record);
    else if (record.type === 'amended') this.#amend(record);
    else if (record.type === 'close_requested') this.#request ??= record;
    else if (record.type === 'closed') this.#close(record);
    else if (record.type === 'voided') this.#ended = true;
    else this.#fault(`A ${record.type} record is not part of a signal`);
  }

  #fault(text: string): void {
    this.faults.push(text);
  }

  #require(holds: boolean, otherwise: string): void {
    if (!holds) this.#fault(otherwise);
  }

  #price(price: number): number {
    return signOf(this.#p) * ticksIn(this.#p, price);
  }

  /** Only later events judge, by their number and by their time. */
  #judges(e: Evidence, deadline: string): void {
    this.#require(
      e.seq > this.#p.quote.seq && endOf(e) > timeOf(this.#p.at),
      'It was decided by a price from before its publication',
    );
    this.#require(timeOf(e.time) < timeOf(deadline), 'The evidence is from after the deadline');
  }

  #fill({ filled, entry_price, filled_at }: RecordOf<'filled'>): void {
    this.#require(this.entryPrice === null, 'It was filled twice');
    this.#judges(filled, this.#p.entry_deadline);
    const price = fillOf(this.#p, filled);
    this.#require(price !== null, 'The evidence of the fill does not reach the entry');
    this.#require(
      price === null || price === this.#price(entry_price),
      'The entry price does not follow from the evidence',
    );
    this.#require(timeOf(filled_at) === endOf(filled), 'It was not filled at the time of the evidence');
    this.entryPrice = entry_price;
    this.#filled = filled;
    const request = this.#request;
    // A request that did not withdraw it in time closes it at a later quote.
    if (request && filled.kind === 'quote' && isInForce(request, filled))
      this.#request = { quote: filled, at: request.at };
  }

  #exit({ target, fraction, price, exited_at, decided }: RecordOf<'exited'>): void {
    const next = targetsOf(this.#p)[this.exits.length];
    const isNext = target === this.exits.length + 1 && next?.price === price && next.fraction === fraction;
    this.#require(isNext && target < targetsOf(this.#p).length, `Target ${target} is not the next one`);
    this.#judges(decided, this.#p.deadline);
    this.#require(this.#reaches(decided, price), `The evidence does not reach target ${target}`);
    this.#require(timeOf(exited_at) === endOf(decided), 'It did not exit at the time of the evidence');
    this.exits.push({ fraction, price });
    this.#exitSeq = decided.seq;
  }

  #amend(record: RecordOf<'amended'>): void {
    const tightest = this.#stop(() => true);
    this.#require(this.#price(record.stop_loss) > tightest, 'The stop was not tightened');
    this.#amendments.push(record);
  }

  /** The stop for an event: as published, amended, or at the entry after enough targets. */
  #stop(inForce: (amendment: Standing) => boolean, seq = Number.POSITIVE_INFINITY): number {
    const { entry, stop } = levelsOf(this.#p);
    const amended = this.#amendments.filter(inForce).map(({ stop_loss }) => this.#price(stop_loss));
    const { breakeven_after: after } = this.#p;
    // The event that reached the target does not move the stop for itself.
    const isMoved = after !== undefined && this.exits.length >= after && this.#exitSeq < seq;
    return Math.max(stop, ...amended, ...(isMoved ? [entry] : []));
  }

  #stopFor(e: Evidence): number {
    return this.#stop((amendment) => isInForce(amendment, e), e.seq);
  }

  /** Whether the evidence reaches a target before the stop. */
  #reaches(e: Evidence, price: number): boolean {
    const [target, stop] = [this.#price(price), this.#stopFor(e)];
    if (e.kind !== 'bar') {
      const { exit } = sidesOf(this.#p, e);
      return exit > stop && exit >= target;
    }
    const { low, high } = barOf(this.#p, e);
    return low > stop && high >= target && this.#filled?.seq !== e.seq;
  }

  #close(c: RecordOf<'closed'>): void {
    this.#ended = true;
    const { decided, reason } = c;
    this.#require(c.entry_price === this.entryPrice, 'The entry price differs from the fill');
    this.#require(
      decided.seq >= this.#p.quote.seq && c.decided_seq >= decided.seq,
      'The evidence is older than the signal',
    );
    if (reason === 'unfilled') {
      this.#require(
        this.entryPrice === null && !c.last_exit && c.exit_price === null,
        'An unfilled signal has no prices',
      );
      const isWithdrawn = decided.kind === 'quote' && this.#request !== null && isInForce(this.#request, decided);
      const time = isWithdrawn ? endOf(decided) : timeOf(this.#p.entry_deadline);
      this.#require(timeOf(c.closed_at) === time, 'It did not end at its deadline or when it was withdrawn');
      return;
    }
    if (this.entryPrice === null || !c.last_exit) {
      this.#fault('A filled signal must have an entry and an exit price');
      return;
    }
    const exit = this.#lastExit(c, c.last_exit.price);
    this.#require(exit !== null, `The evidence does not lead to ${reason.replace('_', ' ')}`);
    this.#require(
      exit === null || exit === this.#price(c.last_exit.price),
      'The exit price does not follow from the evidence',
    );
    const open = targetsOf(this.#p).slice(this.exits.length);
    const rest = open.reduce((sum, { fraction }) => sum + Math.round(fraction * 10_000), 0) / 10_000;
    this.#require(c.last_exit.fraction === rest, 'The last exit is not the rest of the position');
    const time = reason === 'expired' ? timeOf(this.#p.deadline) : endOf(decided);
    this.#require(timeOf(c.closed_at) === time, 'It was not closed at the time of the evidence');
    if (reason !== 'expired') this.#judges(decided, this.#p.deadline);
    this.exits.push(c.last_exit);
  }

  /** Where the evidence closes it, signed; `null` if it does not. */
  #lastExit({ reason, decided }: RecordOf<'closed'>, price: number): number | null {
    if (reason === 'expired') return currentExit(this.#p, decided);
    if (reason === 'take_profit') {
      const isLast = this.exits.length === targetsOf(this.#p).length - 1 && price === this.#p.take_profit;
      return isLast && this.#reaches(decided, price) ? this.#price(price) : null;
    }
    if (reason === 'manual') {
      const request = this.#request;
      if (!request || decided.kind !== 'quote' || !isInForce(request, decided)) return null;
      return Math.min(sidesOf(this.#p, request.quote).exit, sidesOf(this.#p, decided).exit);
    }
    const stop = this.#stopFor(decided);
    if (decided.kind !== 'bar') {
      const { exit } = sidesOf(this.#p, decided);
      return exit <= stop ? exit : null;
    }
    const { low, open } = barOf(this.#p, decided);
    // A market or stop order was not filled yet when the bar that filled it opened.
    const isLate = this.#filled?.seq === decided.seq && this.#p.order !== 'limit';
    return low <= stop ? (isLate ? stop : Math.min(stop, open)) : null;
  }
}
