// The rules are implemented in the engine and, independently from docs/signals.md, in the checks of single records.
// Over random markets with every kind of data loss, both and the replay from the tape must agree.
import { expect, setDefaultTimeout, test } from 'bun:test';
import { type LogRecord, NO_HASH, type OpenedRecord, type PublishedRecord, RULES_VERSION } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  CATALOGUE,
  type EngineEvent,
  type EpochMs,
  fromTicks,
  MINUTE_MS,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { dice } from '../../../testing/signals/real-log.fixture.ts';
import { chainRecord, closedRecord, publishedRecord, type UnchainedRecord } from '../log-records.ts';
import { LogCheck, type LogLine } from './check-log.ts';
import type { EvidenceLine } from './evidence-line.ts';
import { Findings } from './findings.ts';
import type { SignalLifecycle } from './parsed-signal.ts';
import { ReplayCheck } from './replay-check.ts';

setDefaultTimeout(30_000);

const SPEC = CATALOGUE.find(({ symbol }) => symbol === 'XAUUSD')!;
const { symbol, digits } = SPEC;
const START = Date.UTC(2026, 2, 2, 12);
const PUBLISHER = 'pub_one';

interface Story {
  readonly log: LogLine[];
  readonly tape: EvidenceLine[];
  readonly kinds: string[];
}

/** A market with large steps, in which signals close within a few events. */
function tell(seed: number, events: number): Story {
  const roll = dice(seed);
  const whole = (from: number, to: number): number => from + Math.floor(roll() * (to - from + 1));
  const price = (ticks: number): number => fromTicks(ticks, digits);
  const verifier = new Verifier([SPEC]);
  const records = new Map<string, PublishedRecord | UnchainedRecord<PublishedRecord>>();
  const log: LogLine[] = [];
  const tape: EvidenceLine[] = [];
  const kinds: string[] = [];
  let [time, seq, bid, spread, prev] = [START, 100, 20_000, 2, NO_HASH];
  const write = (record: UnchainedRecord<LogRecord>): void => {
    const line = chainRecord(record, log.length, prev);
    prev = line.hash;
    log.push(line);
  };
  const hear = (event: EngineEvent, source = roll() < 0.1 ? `push:${PUBLISHER}` : 'sim'): void => {
    const verdicts: Verdict[] = [];
    verifier.read({ firstSeq: ++seq, events: [event], source }, verdicts);
    if (event.kind === 'tick') tape.push({ seq, time: event.time, bid: event.bid, ask: event.ask, source });
    if (event.kind === 'flow') tape.push({ seq, time: event.time, price: event.price, side: event.side, source });
    if (event.kind === 'minute') {
      const { time: start, open, high, low, close, partial } = event.bar;
      tape.push({ seq, time: start, open, high, low, close, ...(partial && { partial }) });
    }
    verdicts.forEach(close);
  };
  const close = (verdict: Verdict): void => {
    if (verdict.kind !== 'closed') return;
    write(closedRecord(verdict, records.get(verdict.id) as PublishedRecord, digits, time));
    kinds.push(`${verdict.reason} ${verdict.decided.kind}${verdict.bestExit === null ? '' : ' best'}`);
  };
  const tick = (): void => {
    bid += whole(-12, 12);
    spread = whole(1, 4);
    const [low, high] = [price(bid), price(bid + spread)];
    hear({ kind: 'tick', symbol, time: asEpochMs(time), bid: low, ask: high, bidSize: 0, askSize: 0, volume: 0 });
  };
  const trades = (): void => {
    hear({ kind: 'disconnect', symbols: [symbol], time: asEpochMs(time) });
    for (let count = whole(1, 4); count > 0; count--) {
      time += whole(1, 900);
      bid += whole(-8, 8);
      const buys = roll() < 0.5;
      const flow = { size: 1, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null } as const;
      const at = asEpochMs(time);
      hear({
        kind: 'flow',
        symbol,
        time: at,
        price: price(buys ? bid + spread : bid),
        side: buys ? 'buy' : 'sell',
        ...flow,
      });
    }
    hear(clock(time), '');
    hear(backfilled(time));
    // Signals may expire at the last of the trades.
    if (roll() < 0.5) time += whole(0, MINUTE_MS);
    hear(clock(time), '');
  };
  const bars = (): void => {
    hear({ kind: 'disconnect', symbols: [symbol], time: asEpochMs(time) });
    // Sometimes ticks have already judged a part of the first minute.
    let minute = time - (time % MINUTE_MS) + (roll() < 0.5 ? MINUTE_MS : 0);
    for (let count = whole(1, 3); count > 0; count--, minute += MINUTE_MS) {
      const [open, end] = [bid + whole(-9, 9), bid + whole(-9, 9)];
      const [low, high] = [Math.min(open, end) - whole(0, 15), Math.max(open, end) + whole(0, 15)];
      const bar = { open: price(open), high: price(high), low: price(low), close: price(end) };
      const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
      const partial = count === 1 && roll() < 0.3 ? ({ partial: true } as const) : {};
      time = Math.max(time, minute + MINUTE_MS);
      hear({ kind: 'minute', symbol, bar: { time: asEpochMs(minute), ...bar, ...sums, ...partial } }, 'sim');
      bid = end;
    }
    hear(backfilled(time));
  };
  const publish = (): void => {
    const quote = verifier.quote(symbol);
    if (!quote || !verifier.isLive(symbol) || time - quote.time > MINUTE_MS) return;
    const direction = roll() < 0.5 ? 'buy' : 'sell';
    const sign = direction === 'buy' ? 1 : -1;
    const entry = bid + whole(-20, 20);
    const expiresAt = roll() < 0.5 ? asEpochMs(time + whole(1, 5 * MINUTE_MS)) : null;
    const terms = {
      direction,
      entry: price(entry),
      stopLoss: price(entry - sign * whole(1, 30)),
      takeProfit: price(entry + sign * whole(1, 30)),
      expiresAt,
    } as const;
    const order = acceptSignal(`sig_${log.length}`, SPEC, quote, terms, asEpochMs(time));
    if ('rejected' in order) return;
    const publisher = roll() < 0.5 ? PUBLISHER : 'pub_two';
    const record = publishedRecord(order, SPEC, { publisher, at: asEpochMs(time), note: null });
    records.set(order.id, record);
    verifier.add(order);
    write(record);
  };
  const byHand = (): void => {
    const quote = verifier.quote(symbol);
    const id = [...records.keys()].find((each) => verifier.has(each));
    if (!id || !quote || time - quote.time > MINUTE_MS) return;
    const verdict = verifier.close(id, asEpochMs(time), seq);
    if (verdict) close(verdict);
  };
  const at = new Date(START).toISOString();
  const opened: UnchainedRecord<OpenedRecord> = {
    type: 'opened',
    rules: RULES_VERSION,
    at,
    log: 'log',
    realm: 'sim',
    public_key: 'ab'.repeat(32),
  };
  write(opened);
  for (let count = 0; count < events; count++) {
    time += whole(0, 3_000);
    const what = roll();
    if (what < 0.25) publish();
    else if (what < 0.28) trades();
    else if (what < 0.34) bars();
    else if (what < 0.36) byHand();
    else if (what < 0.4) hear(clock(time), '');
    else tick();
  }
  return { log, tape, kinds };
}

const clock = (time: number): EngineEvent => ({ kind: 'clock', time: asEpochMs(time) });

const backfilled = (time: number): EngineEvent => {
  const at = time as EpochMs;
  return { kind: 'backfilled', symbols: [symbol], count: 1, from: at, to: at, time: at };
};

test('record checks and replay confirm whatever the engine decides in random markets', () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 150; seed++) {
    const { log, tape, kinds } = tell(seed, 400);
    const findings = new Findings();
    const lifecycles: SignalLifecycle[] = [];
    const check = new LogCheck({ findings, onLifecycle: (lifecycle) => lifecycles.push(lifecycle) });
    check.add(log);
    const active = [...check.active.values()].map((publication) => ({ publication, closing: null }));
    if (lifecycles.length > 0) {
      const retrial = new ReplayCheck([...lifecycles, ...active], { findings, judgedUntil: Number.POSITIVE_INFINITY });
      retrial.read(tape);
      retrial.end();
      expect([seed, findings.first, retrial.confirmed]).toEqual([seed, [], kinds.length]);
    }
    for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  // Every case occurred often enough.
  for (const kind of [
    ...['take_profit', 'stop_loss'].flatMap((reason) => ['quote', 'trade', 'bar'].map((by) => `${reason} ${by}`)),
    ...['expired', 'unfilled', 'manual'].map((reason) => `${reason} quote`),
    'stop_loss bar best',
    'expired bar',
    'expired trade',
    'unfilled trade',
  ])
    expect([kind, (seen.get(kind) ?? 0) > 10]).toEqual([kind, true]);
});
