// The rules stand in the engine and, written again from docs/signals.md, in the checks of single records. Random markets
// with every kind of loss must bring both, and a second trial over the tape, to the same.
import { expect, setDefaultTimeout, test } from 'bun:test';
import { type LogRecord, NO_HASH, type OpenedRecord, type PublishedRecord, RULES_VERSION } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  CATALOGUE,
  type EngineEvent,
  type EpochMs,
  fromTicks,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { chained, closedRecord, publishedRecord, type Unchained } from '../records.ts';
import { LogCheck, type LogLine } from './check-log.ts';
import type { EvidenceLine } from './evidence-line.ts';
import { Findings } from './finding.ts';
import type { Life } from './life.ts';
import { dice } from './real-log.fixture.ts';
import { Retrial } from './retrial.ts';

setDefaultTimeout(30_000);

const SPEC = CATALOGUE.find(({ symbol }) => symbol === 'XAUUSD')!;
const { symbol, digits } = SPEC;
const START = Date.UTC(2026, 2, 2, 12);
const MINUTE = 60_000;
const PUBLISHER = 'pub_one';

interface Story {
  readonly log: LogLine[];
  readonly tape: EvidenceLine[];
  readonly kinds: string[];
}

/** A market of wild steps, from which signals close within a few events. */
function tell(seed: number, events: number): Story {
  const roll = dice(seed);
  const whole = (from: number, to: number): number => from + Math.floor(roll() * (to - from + 1));
  const price = (ticks: number): number => fromTicks(ticks, digits);
  const verifier = new Verifier([SPEC]);
  const records = new Map<string, PublishedRecord | Unchained<PublishedRecord>>();
  const log: LogLine[] = [];
  const tape: EvidenceLine[] = [];
  const kinds: string[] = [];
  let [time, seq, bid, spread, prev] = [START, 100, 20_000, 2, NO_HASH];
  const write = (record: Unchained<LogRecord>): void => {
    const line = chained(record, log.length, prev);
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
    // Time may end a signal at the last of the trades.
    if (roll() < 0.5) time += whole(0, MINUTE);
    hear(clock(time), '');
  };
  const bars = (): void => {
    hear({ kind: 'disconnect', symbols: [symbol], time: asEpochMs(time) });
    // Now and then the first minute was judged by ticks in part.
    let minute = time - (time % MINUTE) + (roll() < 0.5 ? MINUTE : 0);
    for (let count = whole(1, 3); count > 0; count--, minute += MINUTE) {
      const [open, end] = [bid + whole(-9, 9), bid + whole(-9, 9)];
      const [low, high] = [Math.min(open, end) - whole(0, 15), Math.max(open, end) + whole(0, 15)];
      const bar = { open: price(open), high: price(high), low: price(low), close: price(end) };
      const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
      const partial = count === 1 && roll() < 0.3 ? ({ partial: true } as const) : {};
      time = Math.max(time, minute + MINUTE);
      hear({ kind: 'minute', symbol, bar: { time: asEpochMs(minute), ...bar, ...sums, ...partial } }, 'sim');
      bid = end;
    }
    hear(backfilled(time));
  };
  const publish = (): void => {
    const quote = verifier.quote(symbol);
    if (!quote || !verifier.isLive(symbol) || time - quote.time > MINUTE) return;
    const direction = roll() < 0.5 ? 'buy' : 'sell';
    const sign = direction === 'buy' ? 1 : -1;
    const entry = bid + whole(-20, 20);
    const expiresAt = roll() < 0.5 ? asEpochMs(time + whole(1, 5 * MINUTE)) : null;
    const terms = {
      direction,
      entry: price(entry),
      stopLoss: price(entry - sign * whole(1, 30)),
      takeProfit: price(entry + sign * whole(1, 30)),
      expiresAt,
    } as const;
    const order = acceptSignal(`sig_${log.length}`, SPEC, quote, terms, asEpochMs(time));
    if ('refused' in order) return;
    const publisher = roll() < 0.5 ? PUBLISHER : 'pub_two';
    const record = publishedRecord(order, SPEC, { publisher, at: asEpochMs(time), note: null });
    records.set(order.id, record);
    verifier.add(order);
    write(record);
  };
  const byHand = (): void => {
    const quote = verifier.quote(symbol);
    const id = [...records.keys()].find((each) => verifier.has(each));
    if (!id || !quote || time - quote.time > MINUTE) return;
    const verdict = verifier.close(id, asEpochMs(time), seq);
    if (verdict) close(verdict);
  };
  const at = new Date(START).toISOString();
  const opened: Unchained<OpenedRecord> = {
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

test('whatever the engine decides in random markets, the records and the tape confirm', () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 150; seed++) {
    const { log, tape, kinds } = tell(seed, 400);
    const findings = new Findings();
    const lives: Life[] = [];
    const check = new LogCheck({ findings, onLife: (life) => lives.push(life) });
    check.add(log);
    const active = [...check.active.values()].map((publication) => ({ publication, closing: null }));
    if (lives.length > 0) {
      const retrial = new Retrial([...lives, ...active], { findings, judgedUntil: Number.POSITIVE_INFINITY });
      retrial.read(tape);
      retrial.end();
      expect([seed, findings.first, retrial.confirmed]).toEqual([seed, [], kinds.length]);
    }
    for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  // All there is was met with, and often enough.
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
