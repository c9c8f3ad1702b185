// Judges the signals of one instrument again with the engine's verifier, over the ticks of the tape.
//
// Every quote and every bar judges. Trades judged, and set the standing price, only while the source was disconnected,
// and the tape does not say when that was. Therefore only trades that a record names as evidence are given to the
// verifier. If a trade lies in the minute of a bar, it may or may not have judged and made the bar uncertain: both
// outcomes are accepted.
import {
  type Bar,
  type ClosedVerdict,
  type EngineEvent,
  type EpochMs,
  type Evidence,
  type InstrumentSpec,
  type MarketSymbol,
  type Order,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { bestPnl, describeEvidence } from './closing-rules.ts';
import type { BarLine, EvidenceLine } from './evidence-line.ts';
import type { FindingCode, Findings } from './findings.ts';
import {
  formatTicks,
  formatTime,
  type ParsedClosing,
  type ParsedPublication,
  type ParsedSignal,
} from './parsed-signal.ts';

interface ReplayCase extends ParsedSignal {
  /** Evidence not found on the tape yet. */
  readonly unmatched: Set<Evidence>;
  started: boolean;
  done: boolean;
  faults: number;
}

export interface ReplayCheckOptions {
  readonly findings: Findings;
  /** Everything decided by ticks up to this seq must be in the log. */
  readonly judgedUntil: number;
}

export class ReplayCheck {
  /** Closed signals that came out as recorded. */
  confirmed = 0;
  readonly #options: ReplayCheckOptions;
  readonly #verifier: Verifier;
  readonly #symbol: MarketSymbol;
  readonly #cases: Map<string, ReplayCase>;
  readonly #starts: ReplayCase[];
  readonly #ends: ReplayCase[];
  /** Cases by the seq of their evidence. */
  readonly #named = new Map<number, ReplayCase[]>();
  #start = 0;
  #end = 0;
  /** Time of the latest trade since the last quote. */
  #traded = -1;

  /** All signals must have the same instrument and digits. */
  constructor(signals: readonly ParsedSignal[], options: ReplayCheckOptions) {
    this.#options = options;
    const { publication } = signals[0]!;
    this.#symbol = publication.symbol;
    this.#verifier = new Verifier([specOf(publication)]);
    const cases = signals.map(
      (signal): ReplayCase => ({ ...signal, unmatched: namedBy(signal), started: false, done: false, faults: 0 }),
    );
    this.#cases = new Map(cases.map((each) => [each.publication.signal, each]));
    this.#starts = cases.toSorted((a, b) => a.publication.quote.seq - b.publication.quote.seq);
    this.#ends = cases.filter(({ closing }) => closing).sort((a, b) => a.closing!.decidedSeq - b.closing!.decidedSeq);
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
      this.#endBefore(line.seq);
      const named = this.#named.get(line.seq);
      if (named) this.#matchEvidence(named, line);
      // Nothing judges between the quote of a signal and its publication, because the market was live.
      this.#startBefore(line.seq);
      if ('bid' in line) {
        this.#traded = -1;
        const { time, bid, ask } = line;
        this.#judge(line, {
          kind: 'tick',
          symbol: this.#symbol,
          time: time as EpochMs,
          bid,
          ask,
          bidSize: 0,
          askSize: 0,
          volume: 0,
        });
      } else if ('open' in line) this.#judge(line, { kind: 'minute', symbol: this.#symbol, bar: barOf(line) });
      else {
        this.#traded = Math.max(this.#traded, line.time);
        if (named) this.#judgeTrade(line);
      }
    }
  }

  /** Call after the last tick. */
  end(): void {
    this.#endBefore(Number.POSITIVE_INFINITY);
  }

  #judgeTrade(line: Extract<EvidenceLine, { price: number }>): void {
    const { price, side, source } = line;
    const [symbol, symbols, time] = [this.#symbol, [this.#symbol], line.time as EpochMs];
    const flow = { size: 0, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null };
    const verdicts: Verdict[] = [];
    const events: EngineEvent[] = [
      { kind: 'disconnect', symbols, time },
      { kind: 'flow', symbol, time, price, side, ...flow },
      { kind: 'backfilled', symbols, count: 1, from: time, to: time, time },
    ];
    this.#verifier.read({ firstSeq: line.seq - 1, source, events }, verdicts);
    this.#applyVerdicts(verdicts, line.seq);
  }

  #judge(line: EvidenceLine, event: EngineEvent): void {
    const verdicts: Verdict[] = [];
    this.#verifier.read({ firstSeq: line.seq, source: 'source' in line ? line.source : '', events: [event] }, verdicts);
    if (verdicts.length > 0) this.#applyVerdicts(verdicts, line.seq);
  }

  #applyVerdicts(verdicts: readonly Verdict[], seq: number): void {
    for (const verdict of verdicts) {
      if (verdict.kind !== 'closed') continue;
      const each = this.#cases.get(verdict.id)!;
      const { decided } = verdict;
      const open = decided.kind === 'bar' && this.#traded >= decided.time;
      if (open && verdict.reason === 'take_profit' && each.closing?.decided.seq !== seq) {
        this.#verifier.add({ ...orderOf(each.publication), fill: verdict.fill });
        continue;
      }
      each.done = true;
      if (each.closing) this.#compare(each, each.closing, verdict, open);
      // A fill by a missed trade is not in the log until the signal closes.
      else if (seq <= this.#options.judgedUntil && verdict.reason !== 'unfilled')
        this.#fault(
          each,
          'tape_decides',
          `${describeEvidence(decided)} closes it as ${verdict.reason}, but it is active in the log`,
        );
    }
  }

  #startBefore(seq: number): void {
    for (; this.#starts[this.#start] && this.#starts[this.#start]!.publication.quote.seq < seq; this.#start++)
      this.#begin(this.#starts[this.#start]!);
  }

  #begin(each: ReplayCase): void {
    if (each.started) return;
    each.started = true;
    this.#verifier.add(orderOf(each.publication));
  }

  #endBefore(seq: number): void {
    for (; this.#ends[this.#end] && this.#ends[this.#end]!.closing!.decidedSeq < seq; this.#end++)
      this.#finish(this.#ends[this.#end]!);
  }

  /** All ticks that could judge it have been read. */
  #finish(each: ReplayCase): void {
    const closing = each.closing!;
    if (!each.done) {
      const { signal } = each.publication;
      if (closing.reason === 'stop_loss' || closing.reason === 'take_profit') {
        this.#fault(each, 'tape_decides', `no tick up to ${closing.decidedSeq} closes it`);
        this.#verifier.remove(signal);
      } else {
        this.#begin(each);
        const verdict = this.#verifier.close(signal, closing.closedAt as EpochMs, closing.decidedSeq);
        if (verdict) this.#compare(each, closing, verdict, false);
        else {
          this.#fault(each, 'tape_decides', 'it was closed manually, but no quote had come since a disconnect');
          this.#verifier.remove(signal);
        }
      }
    }
    for (const evidence of each.unmatched)
      this.#fault(each, 'not_on_tape', `${describeEvidence(evidence)} is not on the tape`);
    each.unmatched.clear();
    if (each.faults === 0) this.confirmed++;
  }

  #compare(each: ReplayCase, closing: ParsedClosing, verdict: ClosedVerdict, open: boolean): void {
    const { publication } = each;
    const price = (ticks: number | null): string => (ticks === null ? 'none' : formatTicks(ticks, publication));
    const differences: [what: string, tape: unknown, log: unknown][] = [
      ['reason', verdict.reason, closing.reason],
      ['entry_price', price(verdict.fill?.price ?? null), price(closing.entryPrice)],
      ['exit_price', price(verdict.exitPrice), price(closing.exitPrice)],
      ['closed_at', formatTime(verdict.closedAt), formatTime(closing.closedAt)],
      ['decided', describeEvidence(verdict.decided), describeEvidence(closing.decided)],
      ['decided_seq', verdict.decidedSeq, closing.decidedSeq],
      ['filled', seqOf(verdict.fill?.evidence), seqOf(closing.filled)],
      ['spread', spreadOf(verdict.decided), spreadOf(closing.decided)],
      ['spread of filled', spreadOf(verdict.fill?.evidence), spreadOf(closing.filled)],
      [
        'pnl_best',
        open ? closing.pnlBest : bestPnl(publication, closing.entryPrice ?? 0, verdict.bestExit),
        closing.pnlBest,
      ],
    ];
    const wrong = differences.find(([, tape, log]) => tape !== log);
    if (wrong) this.#fault(each, 'tape_decides', `${wrong[0]} is ${wrong[1]} by the tape, ${wrong[2]} in the log`);
  }

  #matchEvidence(cases: readonly ReplayCase[], line: EvidenceLine): void {
    for (const each of cases) {
      for (const evidence of each.unmatched) {
        if (evidence.seq !== line.seq) continue;
        each.unmatched.delete(evidence);
        if (!isSame(evidence, line))
          this.#fault(
            each,
            'not_on_tape',
            `${describeEvidence(evidence)} differs on the tape: ${JSON.stringify(line)}`,
          );
      }
    }
  }

  #fault(each: ReplayCase, code: FindingCode, message: string): void {
    const { publication, closing } = each;
    each.faults++;
    this.#options.findings.add({ n: closing?.n ?? publication.n, signal: publication.signal, code, message });
  }
}

const seqOf = (evidence: Evidence | null | undefined): number | null => evidence?.seq ?? null;
const spreadOf = (evidence: Evidence | null | undefined): number | null =>
  evidence && evidence.kind !== 'quote' ? evidence.spread : null;

/** The evidence named by the records of a signal. */
const namedBy = ({ publication, closing }: ParsedSignal): Set<Evidence> =>
  new Set([publication.quote, closing?.filled, closing?.decided].filter((evidence) => !!evidence));

function isSame(e: Evidence, line: EvidenceLine): boolean {
  if (e.time !== line.time) return false;
  if ('open' in line)
    return (
      e.kind === 'bar' && e.open === line.open && e.high === line.high && e.low === line.low && e.close === line.close
    );
  // Tapes written before sources were recorded have none.
  if (line.source !== e.source && line.source !== '') return false;
  if ('bid' in line) return e.kind === 'quote' && e.bid === line.bid && e.ask === line.ask;
  return e.kind === 'trade' && e.price === line.price && e.side === line.side;
}

const barOf = ({ time, open, high, low, close, partial }: BarLine): Bar => ({
  time: time as EpochMs,
  open,
  high,
  low,
  close,
  volume: 0,
  bidVolume: 0,
  askVolume: 0,
  basis: 'bid',
  ...(partial && { partial }),
});

function orderOf(p: ParsedPublication): Order {
  const at = p.at as EpochMs;
  return {
    id: p.signal,
    symbol: p.symbol,
    direction: p.buy ? 'buy' : 'sell',
    kind: p.order,
    entry: p.entry,
    stopLoss: p.stopLoss,
    takeProfit: p.takeProfit,
    accepted: p.quote,
    entryDeadline: p.entryDeadline as EpochMs,
    deadline: p.deadline as EpochMs,
    fill: p.entryPrice === null ? null : { price: p.entryPrice, at, evidence: null },
  };
}

/** The verifier uses only the digits. */
const specOf = ({ symbol, digits, pipSize }: ParsedPublication): InstrumentSpec => ({
  symbol,
  digits,
  pipSize,
  name: symbol,
  type: 'forex',
  contractSize: 1,
  marginRate: 1,
  minLot: 1,
  maxLot: 1,
  hours: 'always',
});
