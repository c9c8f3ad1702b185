// Applies version 2 of the rules in docs/signals.md to the records of one signal, in order: whether each follows from its
// evidence and from the records before it. The comments name the rules.
import type { ClosedRecord, Evidence, LogRecord, PublishedRecord } from '@tickwire/client';
import { isWhole, isWholePosition, meanExit } from './arithmetic.ts';
import type { CheckTicket } from './rules-version-1.ts';
import { barOf, currentExit, sidesOf, signOf, ticksIn } from './signed-prices.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const STALE_MS = 60_000;

export type SignalRecord = Extract<LogRecord, { readonly signal: string }>;
type Of<T extends SignalRecord['type']> = Extract<SignalRecord, { readonly type: T }>;

const time = (at: string): number => Date.parse(at);
/** A minute counts with its end. */
const endOf = (e: Evidence): number => time(e.time) + (e.kind === 'bar' ? MINUTE : 0);

export function publicationFaults(p: PublishedRecord, check: CheckTicket): string[] {
  const { direction, entry, stop_loss: stop, take_profit, targets, instrument, quote, breakeven_after } = p;
  const { digits, pip_size: pipSize } = instrument;
  const { bid, ask } = quote;
  const exits = targets ?? [{ price: take_profit, fraction: 1 }];
  const prices = [entry, stop, take_profit, bid, ask, ...exits.map(({ price }) => price)];
  const invalid = prices.find((price) => !isWhole(price, digits));
  if (invalid !== undefined) return [`${invalid} is not a price with ${digits} decimals`];
  if (!(pipSize > 0)) return [`The pip size ${pipSize} is not valid`];
  const { problems, order } = check({ direction, entry, stop, targets: exits }, { bid, ask, digits, pipSize });
  const faults = [...problems.values()].map((text) => text.slice(0, -1));
  const age = time(p.at) - time(quote.time);
  if (bid > ask) faults.push('The bid of its quote is above the ask');
  if (age > STALE_MS) faults.push(`Its quote was ${Math.round(age / 1_000)} s old; at most 60 s are allowed`);
  if (order !== p.order) faults.push(`At its quote it is a ${order} order, not a ${p.order} order`);
  if (!isWholePosition(exits)) faults.push('The parts of its targets do not add up to 1');
  if (exits.at(-1)!.price !== take_profit) faults.push('The last target is not its take profit');
  if (breakeven_after !== undefined && !(breakeven_after >= 1 && breakeven_after < exits.length))
    faults.push('It moves the stop after a target that it does not have');
  return deadlinesFollow(p) ? faults : [...faults, 'The deadlines do not follow from the time of publication'];
}

/** D1 to D3. */
function deadlinesFollow(p: PublishedRecord): boolean {
  const [at, ofEntry, ofSignal] = [time(p.at), time(p.entry_deadline), time(p.deadline)];
  if (ofSignal <= at || ofSignal > at + 30 * DAY) return false;
  if (p.order === 'market') return ofEntry === Math.min(at + MINUTE, ofSignal);
  return ofEntry === ofSignal || (ofEntry === at + DAY && ofSignal === at + 30 * DAY);
}

/** What has happened to the signal so far. Prices are signed ticks. */
class SignalCourse {
  readonly faults: string[] = [];
  readonly #p: PublishedRecord;
  readonly #targets: readonly { readonly price: number; readonly fraction: number }[];
  readonly #entry: number;
  readonly #amendments: { readonly stop: number; readonly seq: number; readonly at: number }[] = [];
  readonly #exits: { readonly price: number; readonly fraction: number; readonly seq: number }[] = [];
  #fill: Of<'filled'> | null = null;
  #request: Of<'close_requested'> | null = null;

  constructor(p: PublishedRecord) {
    this.#p = p;
    this.#targets = p.targets ?? [{ price: p.take_profit, fraction: 1 }];
    this.#entry = this.#at(p.entry);
  }

  apply(record: SignalRecord): void {
    if (record.type === 'filled') this.#filled(record);
    else if (record.type === 'exited') this.#exited(record);
    else if (record.type === 'amended') this.#amended(record);
    else if (record.type === 'close_requested') this.#requested(record);
    else if (record.type === 'closed') this.#closed(record);
  }

  #fault(text: string): void {
    this.faults.push(text);
  }

  #require(holds: boolean, fault: string): void {
    if (!holds) this.#fault(fault);
  }

  #at(price: number): number {
    return signOf(this.#p) * ticksIn(this.#p, price);
  }

  /** J1. */
  #judges(e: Evidence): boolean {
    return e.seq > this.#p.quote.seq && endOf(e) > time(this.#p.at);
  }

  #deadline(): number {
    return time(this.#fill ? this.#p.deadline : this.#p.entry_deadline);
  }

  /** J8: the stop in force for an event. `null` stands for now: with all amendments and targets so far. */
  #stopFor(e: Evidence | null): number {
    const stops = [this.#at(this.#p.stop_loss)];
    for (const { stop, seq, at } of this.#amendments)
      if (e === null || (e.seq > seq && endOf(e) > at)) stops.push(stop);
    const { breakeven_after: after } = this.#p;
    const reached = after === undefined ? undefined : this.#exits[after - 1];
    if (reached && (e === null || reached.seq < e.seq)) stops.push(this.#entry);
    return Math.max(...stops);
  }

  /** J5 and B4: the price at which the evidence fills the entry; `null` if it does not. */
  #fillPrice(e: Evidence): number | null {
    const { order, quote } = this.#p;
    const accepted = sidesOf(this.#p, quote).entry;
    if (e.kind === 'bar') {
      const { open, high, low, spread } = barOf(this.#p, e);
      if (order === 'market') return Math.max(accepted, high + spread);
      if (order === 'limit') return low + spread <= this.#entry ? this.#entry : null;
      return high + spread >= this.#entry ? Math.max(this.#entry, open + spread) : null;
    }
    const side = sidesOf(this.#p, e).entry;
    if (Number.isNaN(side)) return null;
    if (order === 'market') return Math.max(accepted, side);
    if (order === 'limit') return side <= this.#entry ? this.#entry : null;
    return side >= this.#entry ? side : null;
  }

  #filled(f: Of<'filled'>): void {
    this.#require(this.#fill === null, 'It was filled twice');
    this.#require(this.#judges(f.filled), 'It was filled by a price from before its publication');
    this.#require(time(f.filled.time) < time(this.#p.entry_deadline), 'It was filled after the entry deadline');
    const price = this.#fillPrice(f.filled);
    this.#require(price !== null, 'The evidence of the fill does not reach the entry');
    this.#require(price === this.#at(f.entry_price), 'The entry price does not follow from the evidence');
    this.#require(time(f.filled_at) === endOf(f.filled), 'It was not filled at the time of the evidence');
    this.#fill = f;
  }

  /** J7 and B6: whether the event reaches a target, and not the stop. */
  #reaches(e: Evidence, target: number): boolean {
    const stop = this.#stopFor(e);
    if (e.kind !== 'bar') {
      const { exit } = sidesOf(this.#p, e);
      return exit > stop && exit >= target;
    }
    const { high, low } = barOf(this.#p, e);
    return low > stop && high >= target && this.#fill?.filled.seq !== e.seq;
  }

  #exited(x: Of<'exited'>): void {
    const target = this.#targets[this.#exits.length];
    const number = this.#exits.length + 1;
    this.#require(x.target === number && number < this.#targets.length, `Target ${x.target} was not the next one`);
    this.#require(
      target?.price === x.price && target.fraction === x.fraction,
      `Target ${number} differs from the publication`,
    );
    this.#require(this.#fill !== null && this.#judges(x.decided), `Target ${number} was hit before the fill`);
    this.#require(time(x.decided.time) < time(this.#p.deadline), `Target ${number} was hit after the deadline`);
    this.#require(
      this.#reaches(x.decided, this.#at(x.price)),
      `The evidence does not reach target ${number}, or the stop was hit first`,
    );
    this.#require(time(x.exited_at) === endOf(x.decided), `Target ${number} has another time than its evidence`);
    this.#exits.push({ price: x.price, fraction: x.fraction, seq: x.decided.seq });
  }

  /** A1 to A3. */
  #amended(a: Of<'amended'>): void {
    const stop = this.#at(a.stop_loss);
    this.#require(isWhole(a.stop_loss, this.#p.instrument.digits), `The new stop ${a.stop_loss} is not a valid price`);
    this.#require(stop > this.#stopFor(null), `The stop ${a.stop_loss} is not tighter than the one before`);
    this.#require(time(a.at) < this.#deadline(), 'The stop was moved after the deadline');
    this.#require(time(a.at) - time(a.quote.time) <= STALE_MS, 'The stop was moved without a quote of the last 60 s');
    if (this.#fill) this.#require(sidesOf(this.#p, a.quote).exit > stop, 'The market had reached the new stop already');
    else this.#require(stop < this.#entry, 'The new stop is beyond the entry of a pending signal');
    this.#amendments.push({ stop, seq: a.quote.seq, at: time(a.at) });
  }

  #requested(r: Of<'close_requested'>): void {
    this.#require(this.#request === null, 'Closing was requested twice');
    this.#require(time(r.at) < this.#deadline(), 'Closing was requested after the deadline');
    this.#request = r;
  }

  /** M1. */
  #executes(e: Evidence): boolean {
    const request = this.#request;
    return request !== null && e.kind === 'quote' && e.seq > request.quote.seq && time(e.time) > time(request.at);
  }

  #closed(c: ClosedRecord): void {
    const { reason, decided } = c;
    this.#require(c.entry_price === (this.#fill?.entry_price ?? null), 'The entry price differs from the fill');
    this.#require((c.filled?.seq ?? null) === (this.#fill?.filled.seq ?? null), 'The fill differs from its record');
    this.#require(c.decided_seq >= decided.seq, 'The evidence comes after what was considered');
    if (reason === 'unfilled') this.#unfilled(c);
    else if (this.#fill === null || !c.last_exit || c.exit_price === null)
      this.#fault('A filled signal must have an entry and an exit price');
    else {
      const last = c.last_exit;
      this.#require(this.#exitPrice(c) === this.#at(last.price), closingFault(c));
      const exits = [...this.#exits, last];
      this.#require(isWholePosition(exits), 'Its exits do not add up to the whole position');
      this.#require(
        meanExit(exits, this.#p.instrument.digits) === c.exit_price,
        'The exit price is not the mean of its exits',
      );
      const at = reason === 'expired' ? time(this.#p.deadline) : endOf(decided);
      this.#require(time(c.closed_at) === at, 'The time of the closing does not follow from its evidence');
    }
    this.#checkSource(c);
  }

  /** Of the last exit, signed; `null` if the evidence does not close the signal for this reason. */
  #exitPrice({ reason, decided: e }: ClosedRecord): number | null {
    if (reason === 'expired') return time(e.time) < time(this.#p.deadline) ? currentExit(this.#p, e) : null;
    if (!this.#judges(e) || time(e.time) >= time(this.#p.deadline)) return null;
    if (reason === 'manual') return this.#manualExit(e);
    if (reason === 'take_profit') {
      const target = this.#at(this.#p.take_profit);
      return this.#exits.length === this.#targets.length - 1 && this.#reaches(e, target) ? target : null;
    }
    const stop = this.#stopFor(e);
    if (e.kind !== 'bar') {
      const { exit } = sidesOf(this.#p, e);
      return exit <= stop ? exit : null;
    }
    const { open, low } = barOf(this.#p, e);
    // B5: a market or stop entry was not filled yet when the bar that filled it opened.
    const late = this.#fill?.filled.seq === e.seq && this.#p.order !== 'limit';
    return low <= stop ? (late ? stop : Math.min(stop, open)) : null;
  }

  /** J4: the worse of the quote in the request and this one. A fill after the request takes the place of that quote. */
  #manualExit(e: Evidence): number | null {
    if (!this.#executes(e) || e.kind !== 'quote') return null;
    const fill = this.#fill!.filled;
    const reference = fill.kind === 'quote' && fill.seq > this.#request!.quote.seq ? fill : this.#request!.quote;
    return Math.min(sidesOf(this.#p, reference).exit, sidesOf(this.#p, e).exit);
  }

  #unfilled(c: ClosedRecord): void {
    this.#require(this.#fill === null && c.exit_price === null, 'An unfilled signal has no prices');
    const expired = time(c.closed_at) === time(this.#p.entry_deadline);
    const withdrawn = this.#executes(c.decided) && time(c.closed_at) === endOf(c.decided);
    this.#require(expired || withdrawn, 'It ended before its deadline without a request');
  }

  /** S1. */
  #checkSource(c: ClosedRecord): void {
    const own = `push:${this.#p.publisher}`;
    const sources = [this.#p.quote.source, this.#fill?.filled.source, c.decided.source];
    const self = sources.includes(own);
    if (self) this.#require(c.self_sourced === true, 'Its publisher pushed a deciding price, which is not declared');
  }
}

const closingFault = ({ reason }: ClosedRecord): string =>
  reason === 'expired' || reason === 'manual'
    ? 'The last exit is not the market price'
    : `The last exit does not follow from the evidence, or the ${reason === 'stop_loss' ? 'stop' : 'target'} was not hit`;

/** All records of the signal after its publication. */
export function courseFaults(p: PublishedRecord, records: readonly SignalRecord[]): string[] {
  const course = new SignalCourse(p);
  let [before, isClosed, isVoided]: [SignalRecord, boolean, boolean] = [p, false, false];
  for (const record of records) {
    const { n, at, signal, publisher, symbol, type } = record;
    if (signal !== p.signal || publisher !== p.publisher || symbol !== p.symbol)
      course.faults.push(`Record ${n} belongs to another signal`);
    if (n <= before.n || at < before.at) course.faults.push(`Record ${n} is older than the one before it`);
    if (type === 'published') course.faults.push('It was published twice');
    if ((isClosed && type !== 'voided') || isVoided) course.faults.push(`Record ${n} comes after its end`);
    course.apply(record);
    isClosed ||= type === 'closed';
    isVoided ||= type === 'voided';
    before = record;
  }
  return course.faults;
}
