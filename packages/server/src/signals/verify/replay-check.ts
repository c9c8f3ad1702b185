// Judges the signals of one instrument again, over the ticks of the tape, by the rules in signal-judge.ts.
//
// Every quote and every bar judges. Trades judged, and set the standing price, only while the source was disconnected,
// and the tape does not say when that was. Therefore only trades that a record names as evidence judge here. If a trade
// lies in the minute of a bar, it may or may not have judged and made the bar uncertain: both outcomes are accepted.
import { type EpochMs, type Evidence, fromTicks, MINUTE_MS, toTicks } from '@tickwire/engine';
import type { EvidenceLine } from './evidence-line.ts';
import type { FindingCode, Findings } from './findings.ts';
import { describeEvidence, type ParsedSignal } from './parsed-signal.ts';
import { noTriggers, ReplayCase, type Standing } from './replay-case.ts';
import { type ClosedOutcome, GRACE_MS } from './signal-judge.ts';

export interface ReplayCheckOptions {
  readonly findings: Findings;
  /** Everything decided by ticks up to this seq must be in the log. */
  readonly judgedUntil: number;
}

export class ReplayCheck {
  /** Closed signals that came out as recorded. */
  confirmed = 0;
  readonly #options: ReplayCheckOptions;
  readonly #digits: number;
  readonly #starts: readonly ReplayCase[];
  readonly #ends: readonly ReplayCase[];
  /** Cases by the seq of their evidence. */
  readonly #named = new Map<number, ReplayCase[]>();
  #start = 0;
  #end = 0;
  /** Cases that are judged only if a quote reaches one of their triggers, and those that any event may change. */
  #waiting: ReplayCase[] = [];
  readonly #eager = new Set<ReplayCase>();
  /** The nearest triggers of the waiting cases. */
  #nearest = noTriggers();
  #standing: Standing | null = null;
  /** Spread of the last quote, as a price. */
  #spread = 0;
  /** Latest time of all quotes, bars and named trades. */
  #until = -1;
  /** The same under rules version 1: late quotes set it back. */
  #untilOfVersion1 = -1;
  /** Time of the latest trade since the last quote. */
  #traded = -1;
  #lastSeq = -1;

  /** All signals must have the same instrument and digits. */
  constructor(signals: readonly ParsedSignal[], options: ReplayCheckOptions) {
    this.#options = options;
    this.#digits = signals[0]!.publication.digits;
    const cases = signals.map((signal) => new ReplayCase(signal));
    this.#starts = cases.toSorted((a, b) => a.signal.publication.quote.seq - b.signal.publication.quote.seq);
    this.#ends = cases
      .filter(({ signal }) => signal.closing)
      .sort((a, b) => a.signal.closing!.decidedSeq - b.signal.closing!.decidedSeq);
    for (const each of cases) {
      for (const { seq } of each.unmatched) {
        const known = this.#named.get(seq);
        if (!known) this.#named.set(seq, [each]);
        else if (!known.includes(each)) known.push(each);
      }
    }
  }

  /** Takes ticks in order of seq. */
  read(lines: readonly EvidenceLine[]): void {
    for (const line of lines) {
      this.#endBefore(line.seq, line);
      const named = this.#named.get(line.seq);
      if (named) this.#matchEvidence(named, line);
      // Nothing judges between the quote of a signal and its publication, because the market was live.
      this.#startBefore(line.seq);
      this.#lastSeq = line.seq;
      if ('bid' in line) this.#readQuote(line);
      else if ('open' in line) this.#readBar(line);
      else {
        this.#traded = Math.max(this.#traded, line.time);
        if (named) this.#readTrade(line);
      }
      for (const each of named ?? []) this.#checkPassed(each, line.seq);
    }
  }

  /** Call after the last tick. */
  end(): void {
    this.#endBefore(Number.POSITIVE_INFINITY, null);
    for (const each of this.#starts) {
      for (const evidence of each.unmatched) if (evidence.seq <= this.#lastSeq) this.#notOnTape(each, evidence);
    }
  }

  #readQuote(line: Extract<EvidenceLine, { bid: number }>): void {
    const { time } = line;
    const [bid, ask] = [toTicks(line.bid, this.#digits), toTicks(line.ask, this.#digits)];
    const near = this.#nearest;
    const touched =
      bid <= near.bidFalls || bid >= near.bidRises || ask <= near.askFalls || ask >= near.askRises || time >= near.time;
    const evidence: Evidence = { kind: 'quote', ...line, time: time as EpochMs };
    if (touched) this.#judgeWaiting(evidence, (each) => each.isTouchedBy(bid, ask, time));
    if (this.#eager.size > 0) this.#judgeEager(evidence);
    this.#traded = -1;
    this.#until = Math.max(this.#until, time);
    this.#untilOfVersion1 = time;
    this.#spread = fromTicks(ask - bid, this.#digits);
    this.#stand({ evidence, alternative: null, ofVersion1: null }, time);
  }

  /** The trade was missed: it judges every signal. */
  #readTrade(line: Extract<EvidenceLine, { price: number }>): void {
    const evidence: Evidence = { kind: 'trade', ...line, time: line.time as EpochMs, spread: this.#spread };
    this.#judgeWaiting(evidence, () => true);
    this.#judgeEager(evidence);
    this.#until = Math.max(this.#until, line.time);
    this.#untilOfVersion1 = line.time;
    // After a restart, a missed trade is no longer the standing price.
    this.#stand({ evidence, alternative: this.#standing?.evidence ?? null, ofVersion1: null }, line.time);
  }

  #readBar({ partial, ...line }: Extract<EvidenceLine, { open: number }>): void {
    const evidence: Evidence = { kind: 'bar', ...line, time: line.time as EpochMs, spread: this.#spread, source: '' };
    this.#judgeWaiting(evidence, () => true, partial);
    this.#judgeEager(evidence, partial);
    const last = line.time + MINUTE_MS - 1;
    const before = this.#standing;
    const setByVersion1 = last > this.#untilOfVersion1;
    if (setByVersion1) this.#untilOfVersion1 = last;
    if (last > this.#until) {
      this.#until = last;
      const alternative = this.#traded >= last ? (before?.evidence ?? null) : null;
      this.#stand({ evidence, alternative, ofVersion1: null }, line.time);
    } else if (setByVersion1 && before) this.#standing = { ...before, ofVersion1: evidence };
  }

  #stand(standing: Standing, time: number): void {
    this.#standing = standing;
    for (const each of this.#eager) each.settle(standing, time);
  }

  #judgeWaiting(e: Evidence, isTouched: (each: ReplayCase) => boolean, partial = false): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#nearest = noTriggers();
    for (const each of waiting) {
      if (!each.done && isTouched(each)) this.#judge(each, e, partial);
      this.#watch(each);
    }
  }

  #judgeEager(e: Evidence, partial = false): void {
    for (const each of [...this.#eager]) {
      if (each.judge.publication.quote.seq < e.seq && !each.done) this.#judge(each, e, partial);
      if (each.done || !each.isEager) {
        this.#eager.delete(each);
        this.#watch(each);
      }
    }
  }

  /** Judges the case from now on, or no longer if it is done. */
  #watch(each: ReplayCase): void {
    if (each.done) return;
    if (each.isEager) {
      this.#eager.add(each);
      return;
    }
    this.#waiting.push(each);
    const near = this.#nearest;
    const { bidFalls, bidRises, askFalls, askRises, time } = each.triggers;
    near.bidFalls = Math.max(near.bidFalls, bidFalls);
    near.bidRises = Math.min(near.bidRises, bidRises);
    near.askFalls = Math.max(near.askFalls, askFalls);
    near.askRises = Math.min(near.askRises, askRises);
    near.time = Math.min(near.time, time);
  }

  #judge(each: ReplayCase, e: Evidence, partial: boolean): void {
    const { judge } = each;
    if (each.judgedSeq === e.seq) return;
    each.judgedSeq = e.seq;
    const phase = judge.phaseAt(e.time);
    if (phase === 'due') each.markDue(this.#standing);
    else if (phase === 'over') {
      // Under rules version 1, a fill by a missed trade is not in the log until the signal closes.
      const isKnown = judge.publication.rules > 1 || judge.entryPrice !== null;
      if (isKnown) this.#differs(each, e.seq, `its deadline had passed before ${describeEvidence(e)}`);
      each.done = true;
    }
    if (phase !== 'before') return;
    const { deadline } = judge;
    // Under rules version 1, both ways to find the latest time are accepted.
    const judgedUntil = judge.publication.rules === 1 ? Math.min(this.#until, this.#untilOfVersion1) : this.#until;
    const incomplete = e.kind === 'bar' && (this.#traded >= e.time || this.#until >= e.time);
    const targetsRecorded = each.recordsTargetBy(e.seq);
    for (const outcome of judge.judge(e, { judgedUntil, partial, incomplete, targetsRecorded })) {
      const difference = each.differenceFrom(outcome);
      if (difference === null) continue;
      this.#differs(each, e.seq, difference);
      return;
    }
    if (judge.deadline > deadline) each.postponeDue();
    each.done ||= judge.closed;
    each.update();
  }

  /** A fault, unless the event need not be in the log yet. The case is not judged further. */
  #differs(each: ReplayCase, seq: number, message: string): void {
    each.done = true;
    if (seq <= each.lastSeq(this.#options.judgedUntil)) this.#fault(each, 'tape_decides', message);
  }

  /** Whether the records that name an event followed from it. */
  #checkPassed(each: ReplayCase, seq: number): void {
    const missed = each.done ? null : each.missedBy(seq);
    if (missed) this.#differs(each, seq, `${describeEvidence(missed)} does not decide what the log says`);
  }

  #startBefore(seq: number): void {
    for (; this.#starts[this.#start] && this.#starts[this.#start]!.signal.publication.quote.seq < seq; this.#start++)
      this.#watch(this.#starts[this.#start]!);
  }

  #endBefore(seq: number, next: EvidenceLine | null): void {
    for (; this.#ends[this.#end] && this.#ends[this.#end]!.signal.closing!.decidedSeq < seq; this.#end++)
      this.#finish(this.#ends[this.#end]!, next);
  }

  /** All ticks that could judge it have been read; `next` is the one after them. */
  #finish(each: ReplayCase, next: EvidenceLine | null): void {
    const { decidedSeq } = each.signal.closing!;
    if (!each.done) {
      if (each.isClosedByEvent || each.missedBy(decidedSeq))
        this.#differs(each, decidedSeq, `no tick up to ${decidedSeq} decides what the log says`);
      else this.#checkTimedClosing(each, next);
    }
    each.done = true;
    for (const evidence of each.unmatched) this.#notOnTape(each, evidence);
    each.unmatched.clear();
    if (each.faults === 0) this.confirmed++;
  }

  /** Closed by its deadline or, under rules version 1, by a request: at the standing price. */
  #checkTimedClosing(each: ReplayCase, next: EvidenceLine | null): void {
    const { publication, closing } = each.signal;
    const { judge } = each;
    const { closedAt, at, decidedSeq, reason } = closing!;
    const standing = each.due ?? this.#standing;
    const ofVersion1 = publication.rules === 1 ? standing?.ofVersion1 : null;
    const possible = [standing?.evidence ?? publication.quote, standing?.alternative, ofVersion1].filter((e) => !!e);
    const { deadline } = judge;
    const atOnce = publication.rules === 1 && (reason === 'manual' || closedAt < deadline);
    const close = (last: Evidence): ClosedOutcome => (atOnce ? judge.closeAtOnce(last, closedAt) : judge.expire(last));
    const differences = possible.map((last) => each.closingDifference(close(last)));
    if (differences.every((difference) => difference !== null)) this.#differs(each, decidedSeq, differences[0]!);
    else if (publication.rules > 1 && at < deadline + GRACE_MS && !(next && next.time >= deadline + GRACE_MS))
      this.#differs(each, decidedSeq, 'its deadline had not passed: neither by a tick nor by the time of its record');
  }

  #matchEvidence(cases: readonly ReplayCase[], line: EvidenceLine): void {
    for (const each of cases) {
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

  #isSame(e: Evidence, line: EvidenceLine): boolean {
    if (e.time !== line.time || (e.kind !== 'quote' && e.spread !== this.#spread)) return false;
    if ('open' in line)
      return (
        e.kind === 'bar' && e.open === line.open && e.high === line.high && e.low === line.low && e.close === line.close
      );
    // Tapes written before sources were recorded have none.
    if (line.source !== e.source && line.source !== '') return false;
    if ('bid' in line) return e.kind === 'quote' && e.bid === line.bid && e.ask === line.ask;
    return e.kind === 'trade' && e.price === line.price && e.side === line.side;
  }

  #notOnTape(each: ReplayCase, evidence: Evidence): void {
    this.#fault(each, 'not_on_tape', `${describeEvidence(evidence)} is not on the tape`);
  }

  #fault(each: ReplayCase, code: FindingCode, message: string): void {
    const { publication, closing } = each.signal;
    each.faults++;
    this.#options.findings.add({ n: closing?.n ?? publication.n, signal: publication.signal, code, message });
  }
}
