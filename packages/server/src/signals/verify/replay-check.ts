// Judges the signals of one instrument again: replays the ticks of the tape through the engine, and compares its verdicts with the
// records.
//
// Every quote and every minute judges. Trades judged, and set the standing price, only while the source was disconnected, and the
// tape does not say when that was. Therefore only trades that a record names as evidence judge here. If another trade lies in
// the minute of a bar, it may or may not have been missed and made the bar uncertain (B2): both outcomes are accepted.
import type { EvidenceBar, EvidenceQuote, EvidenceTrade, Evidence as RecordEvidence } from '@tickwire/contract';
import {
  asEpochMs,
  barEnd,
  type Evidence,
  fromTicks,
  GRACE_MS,
  type MarketSymbol,
  toTicks,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { epoch, toWireEvidence } from '../log-records.ts';
import { toAmendment, toCloseRequest } from '../signal-history.ts';
import type { EvidenceLine } from './evidence-line.ts';
import { describeEvidence } from './evidence-text.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { SignalVerdict } from './record-difference.ts';
import type { RecordedSignal } from './recorded-signal.ts';
import { replayedMinute, replayedTrade } from './replayed-events.ts';
import { ReplayedSignal } from './replayed-signal.ts';

export interface ReplayCheckOptions {
  readonly findings: Findings;
  /** Everything decided by ticks up to this seq must be in the log. */
  readonly judgedUntil: number;
}

/** Something that happens to a signal after the tick with this seq, and before `next`. */
interface Step {
  readonly seq: number;
  readonly run: (next: EvidenceLine | null) => void;
}

export class ReplayCheck {
  /** Closed signals that came out as recorded. */
  confirmed = 0;
  readonly #options: ReplayCheckOptions;
  readonly #symbol: MarketSymbol;
  readonly #digits: number;
  readonly #verifier: Verifier;
  readonly #signals: ReadonlyMap<string, ReplayedSignal>;
  readonly #steps: readonly Step[];
  #nextStep = 0;
  /** The seqs that records name, ascending, and their signals. */
  readonly #namedSeqs: readonly number[];
  readonly #named = new Map<number, ReplayedSignal[]>();
  #nextNamed = 0;
  readonly #verdicts: Verdict[] = [];
  #quote: EvidenceQuote | null = null;
  /** A missed minute or trade that has set the standing price since the last quote. */
  #backfilled: Evidence | null = null;
  /** Time of the event that set the standing price; for a minute, its last millisecond. */
  #until = -1;
  /** Time of the latest trade since the last quote. */
  #traded = -1;
  /** By the seq of a missed trade or minute: what may have been the standing price instead of it (R4). */
  readonly #alternatives = new Map<number, Evidence>();
  #lastSeq = -1;

  /** All signals must have the same instrument and digits. */
  constructor(signals: readonly RecordedSignal[], options: ReplayCheckOptions) {
    const [first] = signals;
    this.#options = options;
    this.#symbol = first!.order.symbol;
    this.#digits = first!.published.instrument.digits;
    this.#verifier = new Verifier([{ symbol: this.#symbol, digits: this.#digits }]);
    this.#signals = new Map(signals.map((signal) => [signal.order.id, new ReplayedSignal(signal)]));
    const replayed = [...this.#signals.values()];
    this.#steps = replayed.flatMap((each) => this.#stepsOf(each)).sort((a, b) => a.seq - b.seq);
    for (const each of replayed) {
      for (const { seq } of each.unmatched) {
        const known = this.#named.get(seq);
        if (!known) this.#named.set(seq, [each]);
        else if (!known.includes(each)) known.push(each);
      }
    }
    this.#namedSeqs = [...this.#named.keys()].sort((a, b) => a - b);
  }

  /** Takes ticks in order of seq. */
  read(lines: readonly EvidenceLine[]): void {
    for (const line of lines) {
      const { seq } = line;
      if (this.#nextStep < this.#steps.length && this.#steps[this.#nextStep]!.seq < seq) this.#runSteps(line);
      while (this.#namedSeqs[this.#nextNamed]! < seq) this.#nextNamed++;
      const named = this.#namedSeqs[this.#nextNamed] === seq ? this.#named.get(seq)! : null;
      if (named) this.#matchEvidence(named, line);
      this.#lastSeq = seq;
      if ('bid' in line) this.#readQuote(line);
      else if ('open' in line) this.#readBar(line, named ?? []);
      else {
        this.#traded = Math.max(this.#traded, line.time);
        if (named) this.#readTrade(line);
      }
      for (const each of named ?? []) this.#checkPassed(each, seq);
    }
  }

  /** Call after the last tick. */
  end(): void {
    this.#runSteps(null);
    for (const each of this.#signals.values())
      for (const evidence of each.unmatched) if (evidence.seq <= this.#lastSeq) this.#notOnTape(each, evidence);
  }

  #stepsOf(each: ReplayedSignal): Step[] {
    const { order, amendments, closeRequest, closed } = each.signal;
    return [
      // Nothing judges between the quote of a signal and its publication, because the market was live.
      { seq: order.accepted.seq, run: () => this.#verifier.add(order) },
      ...amendments.map((record) => ({
        seq: record.quote.seq,
        run: () => this.#verifier.amend(order.id, toAmendment(record, this.#digits)),
      })),
      ...(closeRequest
        ? [
            {
              seq: closeRequest.quote.seq,
              run: () => this.#verifier.requestClose(order.id, toCloseRequest(closeRequest)),
            },
          ]
        : []),
      {
        seq: Math.max(order.accepted.seq, each.lastSeq(this.#options.judgedUntil)),
        run: (next) => (closed ? this.#finish(each, next) : this.#stop(each)),
      },
    ];
  }

  #runSteps(next: EvidenceLine | null): void {
    const before = next?.seq ?? Number.POSITIVE_INFINITY;
    for (; this.#nextStep < this.#steps.length && this.#steps[this.#nextStep]!.seq < before; this.#nextStep++)
      this.#steps[this.#nextStep]!.run(next);
  }

  #readQuote(line: EvidenceQuote): void {
    this.#verifier.readQuote(this.#symbol, line as never, line.seq, line.source, this.#verdicts);
    if (this.#verdicts.length > 0) this.#compareVerdicts(line, false);
    this.#quote = line;
    this.#backfilled = null;
    this.#until = line.time;
    this.#traded = -1;
  }

  /** The trade was missed: it judges every signal. */
  #readTrade(line: EvidenceTrade): void {
    const { seq, price, side, source } = line;
    const time = asEpochMs(line.time);
    this.#setAlternative(seq);
    this.#verifier.markDisconnected([this.#symbol]);
    const events = [replayedTrade(this.#symbol, time, price, side)];
    this.#verifier.read({ firstSeq: seq, events, source }, this.#verdicts);
    this.#compareVerdicts(line, false);
    this.#backfilled = { kind: 'trade', seq, time, price, side, spread: this.#spread, source };
    this.#until = time;
  }

  #readBar(line: EvidenceBar, named: readonly ReplayedSignal[]): void {
    const { seq, partial = false } = line;
    const time = asEpochMs(line.time);
    const source = sourceOf(seq, named);
    // It was uncertain if a trade was missed that no record names: nothing shows that.
    const isOpen = this.#traded >= time && !partial && this.#until < time;
    const overlaps = partial || (isOpen && !named.some((each) => each.recordsTargetBy(seq)));
    const events = [replayedMinute(this.#symbol, time, line, overlaps)];
    this.#verifier.read({ firstSeq: seq, events, source }, this.#verdicts);
    this.#compareVerdicts(line, isOpen);
    const last = barEnd(time) - 1;
    if (last <= this.#until) return;
    if (this.#traded >= last) this.#setAlternative(seq);
    const { open, high, low, close } = line;
    this.#backfilled = { kind: 'bar', seq, time, open, high, low, close, spread: this.#spread, source };
    this.#until = last;
  }

  /** Spread of the last quote, as a price. */
  get #spread(): number {
    if (!this.#quote) return 0;
    const { bid, ask } = this.#quote;
    return fromTicks(toTicks(ask, this.#digits) - toTicks(bid, this.#digits), this.#digits);
  }

  #setAlternative(seq: number): void {
    const quote = this.#quote;
    const before = this.#backfilled ?? (quote && { kind: 'quote' as const, ...quote, time: asEpochMs(quote.time) });
    if (before) this.#alternatives.set(seq, before);
  }

  #compareVerdicts(line: EvidenceLine, bestIsOpen: boolean): void {
    for (const verdict of this.#verdicts as SignalVerdict[]) {
      const each = this.#signals.get(verdict.id)!;
      if (each.done) continue;
      // Events close a signal before them if its deadline has passed.
      const isExpired = verdict.kind === 'closed' && verdict.decidedSeq < line.seq;
      const e = eventOf(verdict);
      const difference = isExpired
        ? `its deadline had passed before event ${line.seq}`
        : each.differenceFrom(verdict, toWireEvidence(e), bestIsOpen);
      if (difference !== null) this.#differs(each, difference);
      else if (verdict.kind === 'closed') each.done = true;
    }
    this.#verdicts.length = 0;
  }

  /** A fault. The signal is not judged further. */
  #differs(each: ReplayedSignal, message: string): void {
    this.#fault(each, 'tape_decides', message);
    this.#stop(each);
  }

  #stop(each: ReplayedSignal): void {
    each.done = true;
    this.#verifier.remove(each.id);
  }

  /** Whether the records that name an event followed from it. */
  #checkPassed(each: ReplayedSignal, seq: number): void {
    const missed = each.done ? null : each.missedBy(seq);
    if (missed) this.#differs(each, `${describeEvidence(missed)} does not decide what the log says`);
  }

  /** All ticks that could judge it have been read; `next` is the one after them. */
  #finish(each: ReplayedSignal, next: EvidenceLine | null): void {
    const { closed, isClosedByEvent } = each.signal;
    const { decided_seq: decidedSeq } = closed!;
    if (!each.done && (isClosedByEvent || each.missedBy(decidedSeq)))
      this.#differs(each, `no tick up to ${decidedSeq} decides what the log says`);
    if (!each.done) this.#checkTimedClosing(each, next);
    this.#stop(each);
    for (const evidence of each.unmatched) this.#notOnTape(each, evidence);
    each.unmatched.clear();
    if (each.faults === 0) this.confirmed++;
  }

  /** Closed by its deadline, at the last price before it. */
  #checkTimedClosing(each: ReplayedSignal, next: EvidenceLine | null): void {
    const closed = each.signal.closed!;
    const { deadline, lastPrice } = this.#verifier.find(each.id)!;
    let last: Evidence | undefined = lastPrice;
    while (last && last.seq !== closed.decided.seq) last = this.#alternatives.get(last.seq);
    const verdict = this.#verifier.expire(each.id, closed.decided_seq, last ?? lastPrice)!;
    const difference = each.closingDifference(verdict);
    const end = deadline + GRACE_MS;
    if (difference !== null) this.#differs(each, difference);
    else if (epoch(closed.at) < end && !(next && next.time >= end))
      this.#differs(each, 'its deadline had not passed: neither by a tick nor by the time of its record');
  }

  #matchEvidence(named: readonly ReplayedSignal[], line: EvidenceLine): void {
    for (const each of named) {
      for (const evidence of each.unmatched) {
        if (evidence.seq !== line.seq) continue;
        each.unmatched.delete(evidence);
        if (!this.#isSame(evidence, line))
          this.#fault(
            each,
            'not_on_tape',
            `${describeEvidence(evidence)} differs on the tape: ${JSON.stringify(line)}`,
          );
      }
    }
  }

  #isSame(e: RecordEvidence, line: EvidenceLine): boolean {
    if (epoch(e.time) !== line.time || (e.kind !== 'quote' && e.spread !== this.#spread)) return false;
    if ('open' in line)
      return (
        e.kind === 'bar' && e.open === line.open && e.high === line.high && e.low === line.low && e.close === line.close
      );
    if (line.source !== e.source) return false;
    if ('bid' in line) return e.kind === 'quote' && e.bid === line.bid && e.ask === line.ask;
    return e.kind === 'trade' && e.price === line.price && e.side === line.side;
  }

  #notOnTape(each: ReplayedSignal, evidence: RecordEvidence): void {
    this.#fault(each, 'not_on_tape', `${describeEvidence(evidence)} is not on the tape`);
  }

  #fault(each: ReplayedSignal, code: FindingCode, message: string): void {
    const { published, closed } = each.signal;
    each.faults++;
    this.#options.findings.add({ n: closed?.n ?? published.n, signal: published.signal, code, message });
  }
}

/** Minutes on the tape have no source: it is the one that records name. */
function sourceOf(seq: number, named: readonly ReplayedSignal[]): string {
  for (const { signal } of named) for (const e of signal.evidence()) if (e.seq === seq) return e.source;
  return '';
}

const eventOf = (verdict: SignalVerdict): Evidence => {
  if (verdict.kind === 'closed') return verdict.decided;
  return verdict.kind === 'filled' ? verdict.fill.evidence : verdict.exit.evidence;
};
