// Judges the signals of one instrument again, with the engine's verifier, over the ticks of the tape.
//
// Every quote and every bar judges. Trades judged, and stood for the price, only while the source was cut off, and the tape
// does not tell when that was: those that a record names as evidence are put to the verifier. And where a trade falls into
// the minute of a bar, it may have judged and so left the bar uncertain, or not: both are right.
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
import { bestOf, describe } from './closing-rules.ts';
import type { BarLine, EvidenceLine } from './evidence-line.ts';
import type { FindingCode, Findings } from './finding.ts';
import { type Closing, type Publication, priceText, timeText } from './life.ts';

/** A signal on trial; active where it has no closing. */
interface Case {
  readonly publication: Publication;
  readonly closing: Closing | null;
  /** Evidence that was not met on the tape yet. */
  readonly unmet: Set<Evidence>;
  started: boolean;
  done: boolean;
  faults: number;
}

export interface RetrialOptions {
  readonly findings: Findings;
  /** Everything that ticks up to this seq decided must be in the log. */
  readonly judgedUntil: number;
}

export class Retrial {
  /** Lives that came out as the log has them. */
  confirmed = 0;
  readonly #options: RetrialOptions;
  readonly #verifier: Verifier;
  readonly #symbol: MarketSymbol;
  readonly #cases: Map<string, Case>;
  readonly #starts: Case[];
  readonly #ends: Case[];
  /** What is named as evidence, by seq. */
  readonly #named = new Map<number, Case[]>();
  #start = 0;
  #end = 0;
  /** Time of the latest trade since the last quote. */
  #traded = -1;

  /** All of one instrument, with the same digits. */
  constructor(lives: readonly { publication: Publication; closing: Closing | null }[], options: RetrialOptions) {
    this.#options = options;
    const { publication } = lives[0]!;
    this.#symbol = publication.symbol;
    this.#verifier = new Verifier([specOf(publication)]);
    const cases = lives.map(
      (life): Case => ({ ...life, unmet: namedBy(life), started: false, done: false, faults: 0 }),
    );
    this.#cases = new Map(cases.map((each) => [each.publication.signal, each]));
    this.#starts = cases.toSorted((a, b) => a.publication.quote.seq - b.publication.quote.seq);
    this.#ends = cases.filter(({ closing }) => closing).sort((a, b) => a.closing!.decidedSeq - b.closing!.decidedSeq);
    for (const each of cases) {
      for (const { seq } of each.unmet) {
        const known = this.#named.get(seq);
        if (!known) this.#named.set(seq, [each]);
        else if (!known.includes(each)) known.push(each);
      }
    }
  }

  /** Takes ticks in the order of seq. */
  read(lines: readonly EvidenceLine[]): void {
    for (const line of lines) {
      this.#endBefore(line.seq);
      const named = this.#named.get(line.seq);
      if (named) this.#meet(named, line);
      // Nothing judges between the quote of a signal and its publication: it was accepted by a living market.
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

  /** No more ticks. */
  end(): void {
    this.#endBefore(Number.POSITIVE_INFINITY);
  }

  #judgeTrade(line: Extract<EvidenceLine, { price: number }>): void {
    const { price, side } = line;
    const time = line.time as EpochMs;
    const flow = { size: 0, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null };
    const source = line.source;
    const verdicts: Verdict[] = [];
    const cut: EngineEvent = { kind: 'disconnect', symbols: [this.#symbol], time };
    const trade: EngineEvent = { kind: 'flow', symbol: this.#symbol, time, price, side, ...flow };
    const over: EngineEvent = { kind: 'backfilled', symbols: [this.#symbol], count: 1, from: time, to: time, time };
    this.#verifier.read({ firstSeq: line.seq - 1, source, events: [cut, trade, over] }, verdicts);
    this.#hear(verdicts, line.seq);
  }

  #judge(line: EvidenceLine, event: EngineEvent): void {
    const verdicts: Verdict[] = [];
    this.#verifier.read({ firstSeq: line.seq, source: 'source' in line ? line.source : '', events: [event] }, verdicts);
    if (verdicts.length > 0) this.#hear(verdicts, line.seq);
  }

  #hear(verdicts: readonly Verdict[], seq: number): void {
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
      // That a missed trade filled it may stand beside the log, until it closes.
      else if (seq <= this.#options.judgedUntil && verdict.reason !== 'unfilled')
        this.#fault(
          each,
          'tape_decides',
          `${describe(decided)} closes it as ${verdict.reason}, but the log has it active`,
        );
    }
  }

  #startBefore(seq: number): void {
    for (; this.#starts[this.#start] && this.#starts[this.#start]!.publication.quote.seq < seq; this.#start++)
      this.#begin(this.#starts[this.#start]!);
  }

  #begin(each: Case): void {
    if (each.started) return;
    each.started = true;
    this.#verifier.add(orderOf(each.publication));
  }

  #endBefore(seq: number): void {
    for (; this.#ends[this.#end] && this.#ends[this.#end]!.closing!.decidedSeq < seq; this.#end++)
      this.#finish(this.#ends[this.#end]!);
  }

  /** Everything that could judge it has. */
  #finish(each: Case): void {
    const closing = each.closing!;
    if (!each.done) {
      const { signal } = each.publication;
      if (closing.reason === 'stop_loss' || closing.reason === 'take_profit') {
        this.#fault(each, 'tape_decides', `no tick up to ${closing.decidedSeq} closes it`);
        this.#verifier.forget(signal);
      } else {
        this.#begin(each);
        const verdict = this.#verifier.close(signal, closing.closedAt as EpochMs, closing.decidedSeq);
        if (verdict) this.#compare(each, closing, verdict, false);
        else {
          this.#fault(each, 'tape_decides', 'it was closed by hand, but no quote had come after a cut-off');
          this.#verifier.forget(signal);
        }
      }
    }
    for (const evidence of each.unmet) this.#fault(each, 'not_on_tape', `${describe(evidence)} is not on the tape`);
    each.unmet.clear();
    if (each.faults === 0) this.confirmed++;
  }

  #compare(each: Case, closing: Closing, verdict: ClosedVerdict, open: boolean): void {
    const { publication } = each;
    const price = (ticks: number | null): string => (ticks === null ? 'none' : priceText(ticks, publication));
    const differences: [what: string, tape: unknown, log: unknown][] = [
      ['reason', verdict.reason, closing.reason],
      ['entry_price', price(verdict.fill?.price ?? null), price(closing.entryPrice)],
      ['exit_price', price(verdict.exitPrice), price(closing.exitPrice)],
      ['closed_at', timeText(verdict.closedAt), timeText(closing.closedAt)],
      ['decided', describe(verdict.decided), describe(closing.decided)],
      ['decided_seq', verdict.decidedSeq, closing.decidedSeq],
      ['filled', seqOf(verdict.fill?.evidence), seqOf(closing.filled)],
      ['spread', spreadOf(verdict.decided), spreadOf(closing.decided)],
      ['spread of filled', spreadOf(verdict.fill?.evidence), spreadOf(closing.filled)],
      [
        'pnl_best',
        open ? closing.pnlBest : bestOf(publication, closing.entryPrice ?? 0, verdict.bestExit),
        closing.pnlBest,
      ],
    ];
    const wrong = differences.find(([, tape, log]) => tape !== log);
    if (wrong) this.#fault(each, 'tape_decides', `by the tape ${wrong[0]} is ${wrong[1]}, the log says ${wrong[2]}`);
  }

  #meet(cases: readonly Case[], line: EvidenceLine): void {
    for (const each of cases) {
      for (const evidence of each.unmet) {
        if (evidence.seq !== line.seq) continue;
        each.unmet.delete(evidence);
        if (!isSame(evidence, line))
          this.#fault(
            each,
            'not_on_tape',
            `${describe(evidence)} stands otherwise on the tape: ${JSON.stringify(line)}`,
          );
      }
    }
  }

  #fault(each: Case, code: FindingCode, message: string): void {
    const { publication, closing } = each;
    each.faults++;
    this.#options.findings.add({ n: closing?.n ?? publication.n, signal: publication.signal, code, message });
  }
}

const seqOf = (evidence: Evidence | null | undefined): number | null => evidence?.seq ?? null;
const spreadOf = (evidence: Evidence | null | undefined): number | null =>
  evidence && evidence.kind !== 'quote' ? evidence.spread : null;

function namedBy({ publication, closing }: { publication: Publication; closing: Closing | null }): Set<Evidence> {
  return new Set([publication.quote, closing?.filled, closing?.decided].filter((evidence) => !!evidence));
}

function isSame(e: Evidence, line: EvidenceLine): boolean {
  if (e.time !== line.time) return false;
  if ('open' in line)
    return (
      e.kind === 'bar' && e.open === line.open && e.high === line.high && e.low === line.low && e.close === line.close
    );
  // Tapes from before sources were kept say nothing of them.
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

function orderOf(p: Publication): Order {
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

/** The verifier goes by the digits alone. */
const specOf = ({ symbol, digits, pipSize }: Publication): InstrumentSpec => ({
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
