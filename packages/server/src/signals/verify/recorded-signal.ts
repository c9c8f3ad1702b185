// One signal as the log records it, checked record by record: each must follow from the evidence in it and from the records
// before. Events that no record names are checked against the tape.
import type {
  AmendedRecord,
  ClosedRecord,
  CloseRequestedRecord,
  ExitedRecord,
  FilledRecord,
  PublishedRecord,
} from '@tickwire/contract';
import type { Evidence } from '@tickwire/engine';
import { checkClosingPrices, checkEvidenceOrder, checkFlags, checkStanding, compareClosing } from './closing-rules.ts';
import {
  describeEvidence,
  formatTicks,
  formatTime,
  isPrice,
  isSameEvidence,
  isValidEvidence,
  type ParsedAmendment,
  type ParsedClosing,
  type ParsedExit,
  type ParsedFill,
  type ParsedPublication,
  type ParsedRequest,
  type ParsedSignal,
  parseAmendment,
  parseClosing,
  parseExit,
  parseFill,
  parsePublication,
  parseRequest,
} from './parsed-signal.ts';
import type { ReportFault } from './publication-rules.ts';
import { checkAmendment, checkCloseRequest } from './request-rules.ts';
import { endOf, type Outcome, SignalJudge } from './signal-judge.ts';

export class RecordedSignal implements ParsedSignal {
  readonly publication: ParsedPublication;
  fill: ParsedFill | null = null;
  readonly exits: ParsedExit[] = [];
  readonly amendments: ParsedAmendment[] = [];
  request: ParsedRequest | null = null;
  closing: ParsedClosing | null = null;
  voidedN: number | null = null;
  /** A fault was found: records after it are no longer checked against the rules of judging. */
  unsound = false;
  readonly #judge: SignalJudge;
  /** The last event that judged, and the outcomes of it that are not recorded yet. */
  #event: Evidence | null = null;
  #expected: Outcome[] = [];

  constructor(record: PublishedRecord) {
    this.publication = parsePublication(record);
    this.#judge = new SignalJudge(this.publication);
  }

  addFill(r: FilledRecord, fault: ReportFault): void {
    if (this.fill || this.#judge.entryPrice !== null) {
      fault('record_order', 'it was already filled');
      return;
    }
    const { digits } = this.publication;
    if (!isPrice(r.entry_price, digits) || !isValidEvidence(r.filled, digits)) {
      this.#priceFault(r, fault);
      return;
    }
    const fill = parseFill(r, digits);
    this.fill = fill;
    if (this.unsound) return;
    this.#checkRecovered(r, [fill.evidence], fault);
    const outcome = this.#next(fill.evidence, fault);
    if (outcome?.kind !== 'filled') {
      this.#notReached(fill.evidence, 'fill', 'fills it', fault);
      return;
    }
    if (outcome.price !== fill.price)
      fault('fill', `${describeEvidence(fill.evidence)} fills at ${formatTicks(outcome.price, this.publication)}`);
    if (outcome.at !== fill.at) fault('fill', `filled_at must be ${formatTime(outcome.at)}`);
  }

  addExit(r: ExitedRecord, fault: ReportFault): void {
    const { digits, targets } = this.publication;
    if (!this.fill) {
      fault('record_order', `target ${r.target} was reached before the entry was filled`);
      return;
    }
    if (r.target !== this.exits.length + 1 || r.target >= targets.length) {
      fault('record_order', `target ${r.target} cannot exit after ${this.exits.length} of ${targets.length}`);
      return;
    }
    if (!isPrice(r.price, digits) || !isValidEvidence(r.decided, digits)) {
      this.#priceFault(r, fault);
      return;
    }
    const exit = parseExit(r, digits);
    this.exits.push(exit);
    if (this.unsound) return;
    this.#checkRecovered(r, [exit.evidence], fault);
    const outcome = this.#next(exit.evidence, fault);
    if (outcome?.kind !== 'exited' || outcome.target !== exit.target) {
      this.#notReached(exit.evidence, 'decision', `reaches target ${exit.target}`, fault);
      return;
    }
    if (outcome.price !== exit.price || outcome.fraction !== exit.fraction)
      fault(
        'decision',
        `target ${exit.target} is ${outcome.fraction / 10_000} at ${formatTicks(outcome.price, this.publication)}`,
      );
    if (outcome.at !== exit.at) fault('decision', `exited_at must be ${formatTime(outcome.at)}`);
  }

  addAmendment(r: AmendedRecord, fault: ReportFault): void {
    const { digits } = this.publication;
    if (!isPrice(r.stop_loss, digits) || !isValidEvidence(r.quote, digits)) {
      this.#priceFault(r, fault);
      return;
    }
    const amendment = parseAmendment(r, digits);
    this.amendments.push(amendment);
    if (this.unsound) return;
    this.#standingQuote(amendment.quote, fault);
    checkAmendment(this.#judge, amendment, fault);
    this.#judge.amendments.push(amendment);
  }

  addRequest(r: CloseRequestedRecord, fault: ReportFault): void {
    if (!isValidEvidence(r.quote, this.publication.digits)) {
      this.#priceFault(r, fault);
      return;
    }
    const request = parseRequest(r);
    this.request ??= request;
    if (this.unsound) return;
    this.#standingQuote(request.quote, fault);
    checkCloseRequest(this.#judge, request, fault);
    this.#judge.request ??= request;
  }

  /** Returns whether the result was reproduced. */
  addClosing(r: ClosedRecord, fault: ReportFault): boolean {
    const { digits, rules } = this.publication;
    const closing = parseClosing(r, digits);
    this.closing = closing;
    checkFlags(r, this.#events(), fault);
    if (this.unsound || !checkClosingPrices(r, digits, fault)) return false;
    if (!(rules === 1 ? this.#checkFillOfVersion1(closing, fault) : this.#checkFill(closing, fault))) return false;
    const events = [closing.filled, ...this.exits.map(({ evidence }) => evidence), closing.decided];
    if (rules > 1) this.#checkRecovered(r, events, fault);
    const level = closing.reason === 'stop_loss' || closing.reason === 'take_profit';
    const byEvent = level || this.#isByRequest(closing);
    checkEvidenceOrder(this.publication, closing, byEvent, fault);
    if (byEvent) {
      const outcome = this.#next(closing.decided, fault);
      if (outcome?.kind !== 'closed')
        this.#notReached(closing.decided, 'decision', `closes it as ${closing.reason}`, fault);
      else compareClosing(this.#judge, closing, outcome, fault);
      return true;
    }
    if (!this.#isUndecidedBy(closing.decided, fault)) return false;
    const outcome = checkStanding(this.#judge, closing, fault);
    compareClosing(this.#judge, closing, outcome, fault);
    return true;
  }

  /** Missed trades and minutes are known only from a backfill. */
  #checkRecovered(r: Pick<ClosedRecord, 'recovered'>, events: readonly (Evidence | null)[], fault: ReportFault): void {
    if (r.recovered === undefined && events.some((event) => event && event.kind !== 'quote'))
      fault('recovered', 'recovered must be set: a missed trade or minute decided');
  }

  /** Under rules version 2: a quote executed the request to close or withdraw. */
  #isByRequest({ reason, decided }: ParsedClosing): boolean {
    if (this.publication.rules === 1) return false;
    if (reason === 'manual') return true;
    return (
      reason === 'unfilled' && this.#judge.isRequestedFor(decided) && this.#judge.phaseAt(decided.time) === 'before'
    );
  }

  /** The recorded fill must be the one in the record before. */
  #checkFill(c: ParsedClosing, fault: ReportFault): boolean {
    const { fill } = this;
    const same = fill ? c.filled !== null && isSameEvidence(c.filled, fill.evidence) : c.filled === null;
    if (!same) fault('fill', fill ? 'filled differs from the record of the fill' : 'the log has no record of the fill');
    return same;
  }

  /** Version 1 has no record of the fill: its evidence is in the closing. */
  #checkFillOfVersion1(c: ParsedClosing, fault: ReportFault): boolean {
    const { order, entryPrice } = this.publication;
    if (order === 'market' || c.reason === 'unfilled') {
      if (c.filled !== null)
        fault('fill', `a ${order === 'market' ? 'market entry' : 'signal that never filled'} has no filled evidence`);
      if (order === 'market' && c.entryPrice !== entryPrice) fault('fill', 'entry_price differs from the publication');
      if (order === 'market' && c.reason === 'unfilled') fault('decision', 'a market entry cannot end unfilled');
      return c.filled === null && !(order === 'market' && c.reason === 'unfilled');
    }
    if (c.filled === null) {
      fault('fill', `a ${order} entry has no filled evidence`);
      return false;
    }
    const outcome = this.#next(c.filled, fault, c.decided.seq === c.filled.seq);
    if (outcome?.kind !== 'filled') this.#notReached(c.filled, 'fill', 'fills it', fault);
    return outcome?.kind === 'filled';
  }

  /** The next outcome of an event; judges it if it is another event than before. */
  #next(e: Evidence, fault: ReportFault, targetsRecorded = true): Outcome | null {
    if (this.#event && isSameEvidence(this.#event, e)) return this.#expected.shift() ?? null;
    this.#isComplete(fault);
    const last = this.#event?.seq ?? this.publication.quote.seq;
    if (e.seq <= last) {
      fault('evidence_order', `${describeEvidence(e)} is not later than event ${last}`);
      return null;
    }
    this.#judgeEvent(e, targetsRecorded);
    return this.#expected.shift() ?? null;
  }

  /** Unknown events may have judged a part of a bar. */
  #judgeEvent(e: Evidence, targetsRecorded: boolean): void {
    const context = { judgedUntil: -1, partial: false, incomplete: true, targetsRecorded };
    this.#expected = [...this.#judge.judge(e, context)];
    this.#event = e;
  }

  /** The standing price judged the signal too, unless it came before the fill. */
  #isUndecidedBy(decided: Evidence, fault: ReportFault): boolean {
    if (!this.#isComplete(fault)) return false;
    const last = this.#event;
    if (decided.seq <= this.publication.quote.seq) return true;
    if (last && decided.seq <= last.seq) {
      // Only a bar of an earlier minute leaves an older standing price.
      if (last.kind === 'bar' || isSameEvidence(decided, last)) return true;
      fault('evidence_order', `${describeEvidence(decided)} is older than event ${last.seq}`);
      return false;
    }
    this.#judgeEvent(decided, false);
    if (this.#expected.length === 0) return true;
    fault('decision', `${describeEvidence(decided)} had reached a level`);
    return false;
  }

  #standingQuote(quote: Evidence, fault: ReportFault): void {
    this.#isComplete(fault);
    const newest = this.#event?.kind === 'quote' ? this.#event.seq : this.publication.quote.seq;
    if (quote.seq < newest) fault('evidence_order', `${describeEvidence(quote)} is older than quote ${newest}`);
  }

  /** Whether all outcomes of the last event are in the log. */
  #isComplete(fault: ReportFault): boolean {
    const [missing] = this.#expected;
    if (!missing) return true;
    this.#expected = [];
    const what = missing.kind === 'exited' ? `reached target ${missing.target}` : 'closed it';
    fault('record_order', `${describeEvidence(missing.evidence)} also ${what}, without a record before this one`);
    return false;
  }

  #notReached(e: Evidence, code: 'fill' | 'decision', what: string, fault: ReportFault): void {
    const { at, quote, rules } = this.publication;
    if (e.seq > quote.seq && rules === 2 && endOf(e) <= at)
      fault('evidence_order', `${describeEvidence(e)} is not later than the publication`);
    else if (this.#judge.phaseAt(e.time) !== 'before')
      fault('deadline', `${describeEvidence(e)} came after the deadline ${formatTime(this.#judge.deadline)}`);
    else fault(code, `${describeEvidence(e)} does not lead to the record: it must be an event that ${what}`);
  }

  #priceFault({ symbol }: { readonly symbol: string }, fault: ReportFault): void {
    fault('price', `a price in it does not fit ${symbol}, which has ${this.publication.digits} decimals`);
  }

  /** The events before the closing that decided something. */
  #events(): Evidence[] {
    const events: Evidence[] = [this.publication.quote];
    if (this.fill) events.push(this.fill.evidence);
    for (const { evidence } of this.exits) events.push(evidence);
    return events;
  }
}
