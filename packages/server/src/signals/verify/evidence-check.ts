// Judges one signal again by the events in its records, through the engine. Events that no record names are unknown here: the tape
// shows them.
import { type ClosedRecord, type Evidence, iso } from '@tickwire/contract';
import {
  asEpochMs,
  barEnd,
  type EngineEvent,
  type EpochMs,
  type MarketSymbol,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { epoch, fromWireEvidence } from '../log-records.ts';
import { toAmendment, toCloseRequest } from '../signal-history.ts';
import { describeEvidence, isSameEvidence } from './evidence-text.ts';
import type { FindingCode } from './findings.ts';
import { differencesOf, type SignalVerdict } from './record-difference.ts';
import { type DecidedRecord, evidenceOf, type RecordedSignal } from './recorded-signal.ts';
import { replayedMinute, replayedQuote, replayedTrade } from './replayed-events.ts';

/** Reports a fault of the record with this number. */
type ReportRecordFault = (n: number, code: FindingCode, message: string) => void;

/** Before all events. */
const LONG_AGO = asEpochMs(-1);

export class EvidenceCheck {
  /** By symbol and digits. Each judges one signal at a time. */
  readonly #verifiers = new Map<string, Verifier>();

  /** Whether all records follow from their events. */
  check(signal: RecordedSignal, fault: ReportRecordFault): boolean {
    const { symbol } = signal.order;
    const { digits } = signal.published.instrument;
    const name = `${symbol} ${digits}`;
    const verifier = this.#verifiers.get(name) ?? new Verifier([{ symbol, digits }]);
    this.#verifiers.set(name, verifier);
    verifier.seedQuote(symbol, signal.order.accepted);
    verifier.add(signal.order);
    const sound = new SignalRun(signal, verifier, fault).run();
    verifier.remove(signal.order.id);
    return sound;
  }
}

class SignalRun {
  readonly #signal: RecordedSignal;
  readonly #verifier: Verifier;
  readonly #report: ReportRecordFault;
  #sound = true;
  /** The last event that was judged, and its verdicts that no record has followed yet. */
  #event: Evidence;
  #verdicts: SignalVerdict[] = [];
  /** The deadline in force. */
  #deadline: EpochMs;
  /** Number of the record being checked. */
  #n = -1;

  constructor(signal: RecordedSignal, verifier: Verifier, report: ReportRecordFault) {
    this.#signal = signal;
    this.#verifier = verifier;
    this.#report = report;
    this.#event = signal.published.quote;
    this.#deadline = signal.order.entryDeadline;
  }

  run(): boolean {
    const { records, published, order } = this.#signal;
    for (const record of records) {
      this.#n = record.n;
      if (record.type === 'amended') {
        if (this.#isComplete()) this.#verifier.amend(order.id, toAmendment(record, published.instrument.digits));
      } else if (record.type === 'close_requested') {
        if (this.#isComplete()) this.#verifier.requestClose(order.id, toCloseRequest(record));
      } else {
        const verdict =
          record.type === 'closed' && !this.#signal.isClosedByEvent ? this.#expire(record) : this.#verdictFor(record);
        if (verdict) this.#compare(record, verdict);
      }
      if (!this.#sound) return false;
    }
    return true;
  }

  /** The next verdict of the event that a record names. Judges by it if it is another event than before. */
  #verdictFor(record: DecidedRecord): SignalVerdict | null {
    const e = evidenceOf(record);
    if (!isSameEvidence(e, this.#event)) {
      if (!this.#isComplete()) return null;
      if (e.seq <= this.#event.seq) {
        this.#fault('evidence_order', `${describeEvidence(e)} is not later than event ${this.#event.seq}`);
        return null;
      }
      const deadline = this.#deadline;
      if (epoch(e.time) >= deadline) {
        this.#fault('deadline', `${describeEvidence(e)} came after the deadline ${iso(deadline)}`);
        return null;
      }
      this.#judge(e, this.#overlaps(e));
    }
    const verdict = this.#verdicts.shift();
    if (verdict?.kind === 'filled') this.#deadline = this.#signal.order.deadline;
    if (verdict?.kind === record.type) return verdict;
    const isEarly = endOf(e) <= this.#signal.order.publishedAt;
    if (isEarly) this.#fault('evidence_order', `${describeEvidence(e)} is not later than the publication`);
    else {
      const isAboutFill = record.type === 'filled' || verdict?.kind === 'filled';
      this.#fault(isAboutFill ? 'fill' : 'decision', `${describeEvidence(e)} does not ${whatOf(record)}`);
    }
    return null;
  }

  /** Its deadline closed it, at the price that `decided` had set. */
  #expire(record: ClosedRecord): SignalVerdict | null {
    const { published, order } = this.#signal;
    const { decided } = record;
    const [last, accepted] = [this.#event, published.quote.seq];
    if (!this.#isComplete()) return null;
    // The accepted quote judges nothing, whatever its time.
    const deadline = this.#deadline;
    if (decided.seq !== accepted && epoch(decided.time) >= deadline) {
      this.#fault('deadline', `${describeEvidence(decided)} came after the deadline ${iso(deadline)}`);
      return null;
    }
    if (decided.seq > last.seq) this.#judge(decided, true);
    // Only a bar of an earlier minute leaves an older standing price.
    else if (decided.seq < accepted || !(last.kind === 'bar' || isSameEvidence(last, decided)))
      this.#fault('evidence_order', `${describeEvidence(decided)} is not later than ${describeEvidence(last)}`);
    if (record.decided_seq < Math.max(this.#event.seq, decided.seq))
      this.#fault('evidence_order', `decided_seq is ${record.decided_seq}, before an event that decided`);
    if (this.#verdicts.length > 0) this.#fault('decision', `${describeEvidence(decided)} had reached a level`);
    if (!this.#sound) return null;
    return this.#verifier.expire(order.id, record.decided_seq, fromWireEvidence(decided));
  }

  #compare(record: DecidedRecord, verdict: SignalVerdict): void {
    for (const { field, code, logged, expected } of differencesOf(record, verdict, this.#signal.published))
      this.#fault(code, `${field} is ${logged}: recomputed ${expected}`);
    if (verdict.recovered && record.recovered === undefined)
      this.#fault('recovered', 'recovered must be set: a missed trade or minute decided');
    if (verdict.kind === 'closed' && record.type === 'closed' && record.decided_seq !== verdict.decidedSeq)
      this.#fault('evidence_order', `decided_seq is ${record.decided_seq}: recomputed ${verdict.decidedSeq}`);
  }

  #judge(e: Evidence, overlapping: boolean): void {
    const { symbol } = this.#signal.order;
    this.#event = e;
    // Sets the spread of the last quote. Whatever else it sets, the event replaces.
    if (e.kind !== 'quote')
      this.#verifier.seedQuote(symbol, { kind: 'quote', seq: 0, time: LONG_AGO, bid: 0, ask: e.spread, source: '' });
    if (e.kind === 'trade') this.#verifier.markDisconnected([symbol]);
    const verdicts: Verdict[] = [];
    this.#verifier.read({ firstSeq: e.seq, events: [toEvent(e, symbol, overlapping)], source: e.source }, verdicts);
    this.#verdicts = verdicts as SignalVerdict[];
  }

  /**
   * Whether unknown events may have judged a part of a bar (B2): not if it reached a target (B6). If it hit the stop, `pnl_best` must
   * be that of either case (B7).
   */
  #overlaps({ seq }: Evidence): boolean {
    for (const record of this.#signal.records) {
      if (record.type === 'exited' && record.decided.seq === seq) return false;
      if (record.type === 'closed' && record.decided.seq === seq)
        return record.reason === 'stop_loss' && record.pnl_best !== undefined;
    }
    return true;
  }

  /** Whether every verdict of the last event has its record. */
  #isComplete(): boolean {
    const [missing] = this.#verdicts;
    if (!missing) return true;
    const what = missing.kind === 'exited' ? `reached target ${missing.target}` : `${missing.kind} it`;
    this.#fault('record_order', `${describeEvidence(this.#event)} also ${what}, without a record before this one`);
    return false;
  }

  #fault(code: FindingCode, message: string): void {
    this.#sound = false;
    this.#report(this.#n, code, message);
  }
}

const endOf = (e: Evidence): number => (e.kind === 'bar' ? barEnd(epoch(e.time)) : epoch(e.time));

function toEvent(e: Evidence, symbol: MarketSymbol, overlapping: boolean): EngineEvent {
  const time = epoch(e.time);
  if (e.kind === 'quote') return replayedQuote(symbol, time, e.bid, e.ask);
  return e.kind === 'trade'
    ? replayedTrade(symbol, time, e.price, e.side)
    : replayedMinute(symbol, time, e, overlapping);
}

function whatOf(record: DecidedRecord): string {
  if (record.type === 'filled') return 'fill it';
  return record.type === 'exited' ? `reach target ${record.target}` : `close it as ${record.reason}`;
}
