// The service is killed at random moments while signals are published at full speed: everything it acknowledged is there,
// nothing is there twice, the hash chain is intact, and every result equals that of an uninterrupted market.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ActiveSignal,
  type ClosedRecord,
  canonicalJson,
  type LogEntry,
  type LogPage,
  NO_HASH,
  type PublishedRecord,
} from '@tickwire/contract';
import { asEpochMs, CATALOGUE } from '@tickwire/engine';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { naiveOutcome } from '../../testing/signals/naive-judge.fixture.ts';
import { type NaiveQuote, naiveInTicks } from '../../testing/signals/naive-market.fixture.ts';
import { SimMarket } from '../market/feeds/sim/sim-market.ts';
import { sha256 } from '../signals/log-records.ts';

const ROUNDS = Number(process.env.TICKWIRE_TEST_SIGNAL_KILLS ?? 3);
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'US500'];
const WRITERS = 6;
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

interface Attempt {
  readonly idempotencyKey: string;
  readonly body: object;
}

const specOf = (symbol: string) => CATALOGUE.find((spec) => spec.symbol === symbol)!;

/** Publishes and sometimes closes until the service dies, and remembers the requests without a response. */
class Writers {
  readonly acknowledged = new Map<string, ActiveSignal>();
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
      if (id && Math.random() < 0.1)
        await fetch(`${service.url}/api/signals/${id}/close`, { method: 'POST', headers: { 'X-API-Key': key } }).catch(
          () => {},
        );
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
function request(symbol: string, { bid, ask }: { bid: number; ask: number }): object {
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
  return {
    symbol,
    direction: buy ? 'buy' : 'sell',
    entry,
    stop_loss: price(entry - sign * far()),
    take_profit: price(entry + sign * far()),
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
    if (record.n !== n || record.prev !== prev || sha256(canonicalJson(record)) !== hash)
      throw new Error(`the chain breaks at record ${n}`);
    prev = hash;
  }
}

/** Every result as computed naively from an uninterrupted market. */
function checkResults(entries: readonly LogEntry[], seen: number): number {
  const records = entries.map(({ record }) => record);
  const published = records.filter((record): record is PublishedRecord => record.type === 'published');
  const closings = new Map(
    records
      .filter((record): record is ClosedRecord => record.type === 'closed')
      .map((record) => [record.signal, record]),
  );
  const from = Math.min(...published.map(({ quote }) => Date.parse(quote.time)));
  const market = new SimMarket(CATALOGUE, { seed: 1, rate: 200, hours: 'always' });
  const quotes = new Map<string, NaiveQuote[]>(SYMBOLS.map((symbol) => [symbol, []]));
  let seq = 0;
  for (const event of market.events(asEpochMs(from), asEpochMs(Date.now() + 1_000))) {
    if (event.kind !== 'quote') continue;
    const { time, bid, ask } = event;
    quotes.get(event.symbol)?.push({ kind: 'quote', seq: ++seq, time, bid, ask });
  }
  const inTicks = new Map(SYMBOLS.map((symbol) => [symbol, naiveInTicks(quotes.get(symbol)!, specOf(symbol).digits)]));
  for (const record of published) {
    const { quote, symbol } = record;
    const list = quotes.get(symbol)!;
    const at = Date.parse(quote.time);
    const index = list.findIndex(({ time, bid, ask }) => time === at && bid === quote.bid && ask === quote.ask);
    expect(index).toBeGreaterThanOrEqual(0);
    const closing = closings.get(record.signal);
    if (closing?.reason === 'manual' || (closing?.reason === 'unfilled' && closing.closed_at !== record.entry_deadline))
      continue;
    const expected = naiveOutcome(
      specOf(symbol),
      {
        direction: record.direction,
        entry: record.entry,
        stop_loss: record.stop_loss,
        take_profit: record.take_profit,
        // The declared deadline; without it the two deadlines differ.
        expires_at: record.deadline === record.entry_deadline ? Date.parse(record.deadline) : undefined,
      },
      Date.parse(record.at),
      inTicks.get(symbol)!,
      index,
    );
    if ('refused' in expected) throw new Error(`${record.signal} should have been refused: ${expected.refused}`);
    const found = closing && {
      reason: closing.reason,
      closed_at: Date.parse(closing.closed_at),
      exit_price: closing.exit_price,
      pnl: closing.pnl,
      pnl_r: closing.pnl_r,
    };
    const { closing: end } = expected;
    // A signal that closed just before the log was read may be missing in it.
    if (!found && (!end || end.closed_at > seen - 2_000)) continue;
    const wanted = end && {
      reason: end.reason,
      closed_at: end.closed_at,
      exit_price: end.exit_price,
      pnl: end.pnl,
      pnl_r: end.pnl_r,
    };
    expect(JSON.stringify({ signal: record.signal, ...found })).toBe(
      JSON.stringify({ signal: record.signal, ...wanted }),
    );
  }
  return closings.size;
}

test(
  `loses no signal, duplicates none and judges all across ${ROUNDS} kills`,
  async () => {
    const writers = new Writers();
    const away: { from: number; to: number }[] = [];
    const { key } = await makeKey(data, 'unlimited', ['read', 'publish']);
    let service = await ServiceProcess.start(settings);
    for (let round = 0; round < ROUNDS; round++) {
      const writing = writers.run(service, key);
      await Bun.sleep(100 + Math.random() * 500);
      await service.kill();
      const from = Date.now();
      writers.stop();
      await writing;
      if (round % 5 === 0) await Bun.sleep(800);
      service = await ServiceProcess.start(settings);
      away.push({ from, to: Date.now() });
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
    expect(new Set(closed.map(({ signal }) => signal)).size).toBe(closed.length);
    expect(checkResults(entries, seen)).toBeGreaterThan(ROUNDS);
    // What happened while it was down was found afterwards, and is marked as such.
    const meanwhile = closed.filter(({ closed_at, decided }) =>
      away.some(
        ({ from, to }) =>
          Date.parse(closed_at) > from && Date.parse(decided.time) > from && Date.parse(closed_at) < to - 1_500,
      ),
    );
    expect(meanwhile.filter(({ recovered }) => recovered === undefined)).toEqual([]);
    console.log(
      `${ROUNDS} kills: ${acknowledged.length} signals acknowledged, ${closed.length} closed, ${closed.filter(({ recovered }) => recovered).length} of them found after a kill (${meanwhile.length} while it was down)`,
    );
    const verified = await runTickwire(['verify'], settings);
    expect(verified.out + verified.err).toContain('no faults found');
    expect(verified.status).toBe(0);
    expect((await service.stop()).status).toBe(0);
  },
  30_000 + ROUNDS * 15_000,
);
