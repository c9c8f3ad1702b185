// Writes the history of one publisher into a track record, with the record numbers of a log, and computes its evidence a second
// time from the complete list of signals, by the rules of docs/signals.md as they stand there.
import { asSymbol } from '../src/market/instrument.ts';
import { asEpochMs, DAY_MS } from '../src/market/time.ts';
import type { Evidence } from '../src/statistics/decisions.ts';
import type { IsTrusted, MarkOf, RankingSignal } from '../src/statistics/ranking-signal.ts';
import { TrackRecord } from '../src/statistics/track-record.ts';
import { closed, TRUSTED } from './track-records.ts';

export const START = Date.UTC(2026, 2, 2);

export class SignalHistory {
  readonly record: TrackRecord;
  /** The newest state of each signal, by id. */
  readonly signals = new Map<string, RankingSignal>();
  /** Marks of open signals in R, by id. */
  readonly marks = new Map<string, number>();
  now = START;
  #n = 0;

  constructor(isTrusted: IsTrusted = TRUSTED) {
    this.record = new TrackRecord(isTrusted);
  }

  /** A market order fills at once. */
  publish(over: Partial<RankingSignal> = {}): string {
    const n = this.#nextN();
    const signal: RankingSignal = {
      ...closed(0),
      id: `sig_${n}`,
      publishedN: n,
      symbol: asSymbol('EURUSD'),
      publishedAt: asEpochMs(this.now),
      filledAt: (over.order ?? 'market') === 'market' ? asEpochMs(this.now) : null,
      closedN: null,
      closedAt: null,
      reason: null,
      pnlR: null,
      rankR: null,
      sources: { accepted: 'sim', filled: null, decided: null },
      ...over,
    };
    this.signals.set(signal.id, signal);
    this.record.publish(signal);
    return signal.id;
  }

  fill(id: string, source = 'sim'): void {
    const signal = this.signals.get(id)!;
    this.#set({ ...signal, filledAt: asEpochMs(this.now), sources: { ...signal.sources, filled: source } });
    this.record.update(this.signals.get(id)!);
  }

  /** A pending signal closes as unfilled. */
  close(id: string, r: number, over: Partial<RankingSignal> = {}): void {
    const signal = this.signals.get(id)!;
    const isFilled = signal.filledAt !== null;
    const result = isFilled ? r : 0;
    this.#set({
      ...signal,
      closedN: this.#nextN(),
      closedAt: asEpochMs(this.now),
      reason: !isFilled ? 'unfilled' : r > 0 ? 'take_profit' : 'stop_loss',
      pnlR: result,
      rankR: result,
      sources: { ...signal.sources, decided: 'sim' },
      ...over,
    });
    this.record.close(this.signals.get(id)!);
  }

  /** Declares an active or a closed signal void. */
  void(id: string): void {
    const before = this.signals.get(id)!;
    const n = this.#nextN();
    if (before.closedN === null) {
      const closing = { closedN: n, closedAt: asEpochMs(this.now), reason: 'voided', pnlR: 0, rankR: 0, voided: true };
      this.#set({ ...before, ...closing });
      this.record.close(this.signals.get(id)!);
    } else {
      this.#set({ ...before, voided: true });
      this.record.void(before);
    }
  }

  /** A signal that is published, filled and closed at once. */
  trade(r: number, over: Partial<RankingSignal> = {}, closing: Partial<RankingSignal> = {}): void {
    this.close(this.publish(over), r, closing);
  }

  readonly markOf: MarkOf = ({ id }) => {
    const r = this.marks.get(id);
    return r === undefined ? null : { pnlR: r, rankR: r, worstR: r };
  };

  evidence(): Evidence {
    return this.record.marked(this.markOf).evidence;
  }

  #set(signal: RankingSignal): void {
    this.signals.set(signal.id, signal);
  }

  #nextN(): number {
    return ++this.#n;
  }
}

/** Result of a signal as of now, in R; `null` if it has none (CR1 to CR6). */
function resultOf(signal: RankingSignal, markOf: MarkOf, isTrusted: IsTrusted): number | null {
  const { rules, voided, gap, filledAt, selfSourced, sources, closedN } = signal;
  const r = closedN === null ? (filledAt === null ? null : (markOf(signal)?.rankR ?? null)) : signal.rankR;
  if (rules < 2 || voided || gap || filledAt === null || r === null) return null;
  if (!isTrusted(sources.accepted) && !selfSourced) return null;
  const others = [sources.filled, sources.decided].filter((source) => source !== null);
  return selfSourced || !others.every(isTrusted) ? Math.min(r, 0) : r;
}

interface Judged {
  readonly first: RankingSignal;
  readonly units: number | null;
  readonly isComplete: boolean;
  readonly place: number;
}

/** Replays all bets of one fraction in the order of the records; open bets count if they lose. */
function wealthOf(fraction: number, judged: readonly Judged[]): number {
  let wealth = 1;
  const open = new Map<Judged, number>();
  const gain = (decision: Judged, stake: number): number => stake * Math.min((decision.units ?? 0) / 1e4, 10);
  const events = judged.flatMap((decision) => [
    { n: decision.first.publishedN, decision, isOpening: true },
    ...(decision.isComplete ? [{ n: decision.place, decision, isOpening: false }] : []),
  ]);
  for (const { decision, isOpening } of events.sort((a, b) => a.n - b.n)) {
    if (isOpening) {
      const reserved = [...open.values()].reduce((sum, stake) => sum + 5 * stake, 0);
      open.set(decision, fraction * Math.max(0, wealth - reserved));
    } else {
      wealth += gain(decision, open.get(decision)!);
      open.delete(decision);
    }
  }
  for (const [decision, stake] of open) wealth += Math.min(0, gain(decision, stake));
  return wealth;
}

/** Recomputes everything from the complete list. */
export function naiveEvidence(all: Iterable<RankingSignal>, markOf: MarkOf, isTrusted: IsTrusted = TRUSTED): Evidence {
  const signals = [...all].filter(({ rules }) => rules >= 2).sort((a, b) => a.publishedN - b.publishedN);
  const decisions: RankingSignal[][] = [];
  for (const signal of signals) {
    const joined = decisions.find(
      ([first]) =>
        first!.symbol === signal.symbol &&
        first!.direction === signal.direction &&
        (first!.closedN === null || signal.publishedN < first!.closedN),
    );
    if (joined) joined.push(signal);
    else decisions.push([signal]);
  }
  const judged = decisions.map((members) => {
    const results = members.map((signal) => resultOf(signal, markOf, isTrusted));
    const counted = results.filter((r) => r !== null);
    const mean = counted.reduce((sum, r) => sum + Math.round(r * 1e4), 0) / counted.length;
    const isComplete = members.every(({ closedN }) => closedN !== null);
    const last = members.reduce((a, b) => ((b.closedN ?? 0) > (a.closedN ?? 0) ? b : a));
    return {
      first: members[0]!,
      units: counted.length === 0 ? null : Math.min(Math.round((results[0] ?? 0) * 1e4), Math.floor(mean)),
      isComplete,
      place: isComplete ? last.closedN! : Number.POSITIVE_INFINITY,
      completedAt: isComplete ? last.closedAt! : null,
    };
  });
  const counting = judged
    .filter(({ units, isComplete }) => units !== null && (isComplete || units < 0))
    .sort((a, b) => (a.place === b.place ? a.first.publishedN - b.first.publishedN : a.place - b.place));
  const capped = counting.map(({ units }) => Math.min(units! / 1e4, 10));
  const fractions = [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2];
  const ruined = capped.some((r) => r < -5);
  const wealth = fractions.map((fraction) => wealthOf(fraction, judged));
  const times = counting.map(({ first }) => first.publishedAt);
  const completions = counting.flatMap(({ completedAt }) => completedAt ?? []);
  return {
    decisions: counting.length,
    sumUnits: Math.round(capped.reduce((sum, r) => sum + r, 0) * 1e4),
    eValue: ruined ? 0 : wealth.reduce((sum, each) => sum + each, 0) / 10,
    days: new Set(times.map((time) => Math.floor(time / DAY_MS))).size,
    firstAt: times.length > 0 ? asEpochMs(Math.min(...times)) : null,
    lastCompletedAt: completions.length > 0 ? asEpochMs(Math.max(...completions)) : null,
  };
}
