// The service is killed at random moments while signals are published at full speed: everything it acknowledged is there,
// nothing is there twice, the hash chain is intact, and every result equals that of an uninterrupted market.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ActiveSignal,
  canonicalJson,
  type LogEntry,
  type LogPage,
  type LogRecord,
  NO_HASH,
  type PublishedRecord,
  type SignalRecord,
} from '@tickwire/contract';
import {
  asEpochMs,
  CATALOGUE,
  type ClosedVerdict,
  type Order,
  type Progress,
  type QuoteEvent,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { SimMarket } from '../market/feeds/sim/sim-market.ts';
import { sha256Hex } from '../ops/sha256.ts';
import { historyOf, toOrder, toProgress } from '../signals/signal-history.ts';
import { closedRecord } from '../signals/signal-records.ts';

const ROUNDS = atScale(8, 50);
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'US500'];
const WRITERS = 6;
/** Acknowledged signals of a round before the kill. */
const MIN_ROUND = 6;
const data = temporaryFolder();
const config = join(data, 'tickwire.json');
const settings = { data, config, house: 'none', news: 'none', sim_rate: '200', max_active_signals: '100000' };
const NO_LIMIT = {
  requests_per_minute: 100_000,
  streams: 10,
  ai_calls_per_day: 0,
  signals_per_day: 1_000_000,
  active_signals_per_symbol: 100_000,
};
writeFileSync(config, JSON.stringify({ tiers: { unlimited: NO_LIMIT } }));

afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

interface Terms {
  readonly symbol: string;
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop_loss: number;
}
interface Attempt {
  readonly idempotencyKey: string;
  readonly body: Terms;
}

const specOf = (symbol: string) => CATALOGUE.find((spec) => spec.symbol === symbol)!;

/** Publishes, amends and closes until the service dies, and remembers the requests without a response. */
class Writers {
  readonly acknowledged = new Map<string, ActiveSignal>();
  /** Signals and stops of acknowledged amendments, as `signal stop`. */
  readonly amended: string[] = [];
  /** Signals whose closing was acknowledged. */
  readonly closed = new Set<string>();
  unanswered: Attempt[] = [];
  #stopped = false;
  #count = 0;

  async run(service: ServiceProcess, key: string): Promise<void> {
    this.#stopped = false;
    await this.again(service, key);
    await Promise.all(Array.from({ length: WRITERS }, () => this.#writer(service, key)));
  }

  /** Retries the requests without a response. */
  async again(service: ServiceProcess, key: string): Promise<void> {
    const attempts = this.unanswered;
    this.unanswered = [];
    for (const attempt of attempts) await this.#send(service, key, attempt);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #writer(service: ServiceProcess, key: string): Promise<void> {
    while (!this.#stopped) {
      const symbol = SYMBOLS[Math.floor(Math.random() * SYMBOLS.length)]!;
      const quote = await this.#get(service, key, `/api/market/${symbol}/quote`);
      if (!quote) return;
      const attempt = {
        idempotencyKey: `k${this.#count++}`,
        body: request(symbol, quote as { bid: number; ask: number }),
      };
      const id = await this.#send(service, key, attempt);
      if (id && Math.random() < 0.3) await this.#amend(service, key, id, attempt.body);
      if (id && Math.random() < 0.1 && (await this.#post(service, key, `/api/signals/${id}/close`)) !== null)
        this.closed.add(id);
    }
  }

  /** Moves the stop a quarter of the way to the entry, twice. */
  async #amend(service: ServiceProcess, key: string, id: string, { symbol, entry, stop_loss }: Terms): Promise<void> {
    for (const part of [0.25, 0.5]) {
      const stop = Number((stop_loss + (entry - stop_loss) * part).toFixed(specOf(symbol).digits));
      const body = JSON.stringify({ stop_loss: stop });
      if (await this.#post(service, key, `/api/signals/${id}/amend`, body)) this.amended.push(`${id} ${stop}`);
    }
  }

  /** The response, or `null` if the request was rejected or got none. */
  async #post(service: ServiceProcess, key: string, path: string, body?: string): Promise<unknown> {
    try {
      const headers = { 'X-API-Key': key };
      const response = await fetch(service.url + path, { method: 'POST', headers, ...(body && { body }) });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  async #get(service: ServiceProcess, key: string, path: string): Promise<unknown> {
    try {
      return await (await service.get(path, key)).json();
    } catch {
      return null;
    }
  }

  async #send(service: ServiceProcess, key: string, attempt: Attempt): Promise<string | null> {
    try {
      const answer = await fetch(`${service.url}/api/signals`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Idempotency-Key': attempt.idempotencyKey },
        body: JSON.stringify(attempt.body),
      });
      if (answer.status !== 201) return null;
      const signal = (await answer.json()) as ActiveSignal;
      this.acknowledged.set(attempt.idempotencyKey, signal);
      return signal.id;
    } catch {
      this.unanswered.push(attempt);
      return null;
    }
  }
}

/** A signal with levels so close that most close within seconds. */
function request(symbol: string, { bid, ask }: { bid: number; ask: number }): Terms {
  const { digits } = specOf(symbol);
  const buy = Math.random() < 0.5;
  const sign = buy ? 1 : -1;
  const spread = Math.max(ask - bid, 10 ** -digits);
  const price = (value: number): number => Number(value.toFixed(digits));
  const away = [0, 0, 3, -3][Math.floor(Math.random() * 4)]! * spread;
  const entry = price((buy ? ask : bid) + away);
  const far = (): number => spread * (2 + 8 * Math.random());
  const expires =
    Math.random() < 0.3 ? { expires_at: new Date(Date.now() + 500 + 4_000 * Math.random()).toISOString() } : {};
  const nearest = far();
  const targets = [0.5, 0.25, 0.25].map((fraction, at) => ({
    price: price(entry + sign * nearest * (at + 1)),
    fraction,
  }));
  return {
    symbol,
    direction: buy ? 'buy' : 'sell',
    entry,
    stop_loss: price(entry - sign * far()),
    ...(Math.random() < 0.6 ? { targets, breakeven_after: 1 } : { take_profit: price(entry + sign * far()) }),
    ...expires,
  };
}

async function wholeLog(service: ServiceProcess, key: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let after: number | null = -1; after !== null; ) {
    const page = (await (await service.get(`/api/signals/log?after=${after}`, key)).json()) as LogPage;
    entries.push(...page.items);
    after = page.next;
  }
  return entries;
}

function checkChain(entries: readonly LogEntry[]): void {
  let prev = NO_HASH;
  for (const [n, { hash, record }] of entries.entries()) {
    if (record.n !== n || record.prev !== prev || sha256Hex(canonicalJson(record)) !== hash)
      throw new Error(`the chain breaks at record ${n}`);
    prev = hash;
  }
}

const byId = (records: readonly LogRecord[]): Map<string, SignalRecord[]> =>
  Map.groupBy(
    records.filter((record): record is SignalRecord => 'signal' in record),
    ({ signal }) => signal,
  );

/** A signal of the log with its amendments and requests, to be judged again by quotes with numbers of their own. */
interface Judged {
  readonly published: PublishedRecord;
  readonly order: Order;
  readonly progress: Progress;
}

/** Every result equals that of a verifier that judged the same requests in an uninterrupted market. */
function checkResults(entries: readonly LogEntry[], seen: number): number {
  const signals = byId(entries.map(({ record }) => record));
  const from = Math.min(...entries.flatMap(({ record }) => ('quote' in record ? [Date.parse(record.quote.time)] : [])));
  const market = new SimMarket(CATALOGUE, { seed: 1, rate: 200, hours: 'always' });
  const quotes: QuoteEvent[] = [];
  const numbers = new Map<string, number>();
  const nameOf = (symbol: string, { time, bid, ask }: { time: number; bid: number; ask: number }): string =>
    `${symbol} ${time} ${bid} ${ask}`;
  for (const event of market.events(asEpochMs(from), asEpochMs(Date.now() + 1_000))) {
    if (event.kind !== 'quote' || !SYMBOLS.includes(event.symbol)) continue;
    quotes.push(event);
    numbers.set(nameOf(event.symbol, event), quotes.length);
  }
  const numbered = <T extends { time: number; bid: number; ask: number; seq: number }>(symbol: string, quote: T): T => {
    const seq = numbers.get(nameOf(symbol, quote));
    if (seq === undefined) throw new Error(`the market never had the quote ${nameOf(symbol, quote)}`);
    return { ...quote, seq };
  };
  const waiting = [...signals.values()].map((records): Judged => {
    const history = historyOf(records.map((record) => ({ n: record.n, hash: '', text: JSON.stringify(record) })));
    const order = toOrder(history.published);
    const { amendments, closeRequest } = toProgress(history);
    const again = <T extends { quote: Order['accepted'] }>(each: T): T => ({
      ...each,
      quote: numbered(order.symbol, each.quote),
    });
    const progress = {
      fill: null,
      exits: [],
      amendments: amendments.map(again),
      closeRequest: closeRequest && again(closeRequest),
    };
    return {
      published: history.published,
      order: { ...order, accepted: numbered(order.symbol, order.accepted) },
      progress,
    };
  });
  waiting.sort((a, b) => a.order.accepted.seq - b.order.accepted.seq);
  const verifier = new Verifier(CATALOGUE);
  const ends = new Map<string, ClosedVerdict>();
  let next = 0;
  for (const [index, quote] of quotes.entries()) {
    const verdicts: Verdict[] = [];
    verifier.read({ firstSeq: index + 1, events: [{ ...quote, kind: 'tick', volume: 0 }], source: 'sim' }, verdicts);
    for (const verdict of verdicts) if (verdict.kind === 'closed') ends.set(verdict.id, verdict);
    for (; next < waiting.length && waiting[next]!.order.accepted.seq === index + 1; next++)
      verifier.add(waiting[next]!.order, waiting[next]!.progress);
  }
  let closings = 0;
  for (const { published } of waiting) {
    const records = signals.get(published.signal)!;
    const found = records.find((record) => record.type === 'closed');
    const end = ends.get(published.signal);
    const wanted = end && closedRecord(end, published, 0);
    // A signal that closed just before the log was read may be missing in it; one that time closed has no quote after it yet.
    if (!found && (!wanted || Date.parse(wanted.closed_at) > seen - 8_000)) continue;
    if (found && !wanted && Date.parse(found.closed_at) > seen - 8_000) continue;
    closings++;
    const resultOf = (record: typeof wanted): string => {
      const { reason, closed_at, entry_price, exit_price, pnl, pnl_r } = record ?? {};
      return JSON.stringify({ signal: published.signal, reason, closed_at, entry_price, exit_price, pnl, pnl_r });
    };
    expect(resultOf(found)).toBe(resultOf(wanted));
    expect(records.filter(({ type }) => type === 'exited')).toHaveLength(Math.max(0, end!.exits.length - 1));
  }
  return closings;
}

test(
  `loses no signal, duplicates none and judges all across ${ROUNDS} kills`,
  async () => {
    const writers = new Writers();
    const away: { from: number; to: number }[] = [];
    const { key } = await makeKey(data, 'unlimited', ['read', 'publish']);
    let service = await ServiceProcess.start(settings);
    for (let round = 0; round < ROUNDS; round++) {
      const before = writers.acknowledged.size;
      const writing = writers.run(service, key);
      // On a busy machine the first response takes longer than the rest of the round.
      while (writers.acknowledged.size < before + MIN_ROUND) await Bun.sleep(10);
      await Bun.sleep(Math.random() * 500);
      await service.kill();
      const from = Date.now();
      writers.stop();
      await writing;
      await Bun.sleep(round % 5 === 0 ? 800 : 300);
      // It may serve long before `start` returns.
      away.push({ from, to: Date.now() });
      service = await ServiceProcess.start(settings);
    }
    // Requests without a response are retried: they are published now or were before, never twice.
    await writers.again(service, key);
    expect(writers.unanswered).toEqual([]);
    const acknowledged = [...writers.acknowledged.values()];
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 5);

    const seen = Date.now();
    const entries = await wholeLog(service, key);
    checkChain(entries);
    const published = entries.flatMap(({ record }) => (record.type === 'published' ? [record.signal] : []));
    const closed = entries.flatMap(({ record }) => (record.type === 'closed' ? [record] : []));
    expect(published.toSorted()).toEqual(acknowledged.map(({ id }) => id).toSorted());
    const amendments = entries.flatMap(({ record }) =>
      record.type === 'amended' ? [`${record.signal} ${record.stop_loss}`] : [],
    );
    expect(new Set(amendments).size).toBe(amendments.length);
    expect(writers.amended.filter((amendment) => !amendments.includes(amendment))).toEqual([]);
    const requested = entries.flatMap(({ record }) => (record.type === 'close_requested' ? [record.signal] : []));
    expect(new Set(requested).size).toBe(requested.length);
    expect([...writers.closed].filter((id) => !requested.includes(id))).toEqual([]);
    for (const type of ['filled', 'closed'] as const) {
      const of = entries.flatMap(({ record }) => (record.type === type ? [record.signal] : []));
      expect(new Set(of).size).toBe(of.length);
    }
    entries.reduce((before, { record }) => {
      expect(record.at >= before).toBe(true);
      return record.at;
    }, '');
    expect(checkResults(entries, seen)).toBeGreaterThan(ROUNDS);
    // What happened while it was down was found afterwards, and is marked as such.
    // A deadline takes effect 5 s later.
    const decidedBy = ({ reason, closed_at }: (typeof closed)[number]): number =>
      Date.parse(closed_at) + (reason === 'expired' || reason === 'unfilled' ? 5_000 : 0);
    const meanwhile = closed.filter((closing) =>
      away.some(
        ({ from, to }) =>
          Date.parse(closing.closed_at) > from && Date.parse(closing.decided.time) > from && decidedBy(closing) < to,
      ),
    );
    expect(meanwhile.filter(({ recovered }) => recovered === undefined)).toEqual([]);
    console.log(
      `${ROUNDS} kills: ${acknowledged.length} signals and ${writers.amended.length} amendments acknowledged, ${closed.length} closed, ${closed.filter(({ recovered }) => recovered).length} of them found after a kill (${meanwhile.length} while it was down)`,
    );
    const verified = await runTickwire(['verify'], settings);
    expect(verified.out + verified.err).toContain('no faults found');
    expect(verified.status).toBe(0);
    expect((await service.stop()).status).toBe(0);
  },
  30_000 + ROUNDS * 15_000,
);
