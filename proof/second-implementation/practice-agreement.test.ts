// Practice signals of replay sessions, published over REST at random times of a recorded past, and the second implementation
// (judge.py), which reads that past by itself, say the same about every signal. In full: 2,000 signals.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { iso, type ReplaySession, type SignalDetail, type SignalRequest } from '@tickwire/contract';
import { asSymbol, HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import {
  type RecordedPast,
  randomPast,
  record,
  SPECS,
} from '../../packages/server/testing/replay/recorded-day.fixture.ts';
import { atScale } from '../../packages/server/testing/scale.fixture.ts';
import {
  folderOfBusyAccounts,
  type RunningService,
  startService,
} from '../../packages/server/testing/service.fixture.ts';
import { Random } from '../../packages/server/testing/signals/random.fixture.ts';
import { reportSkipped } from '../../packages/server/testing/skipped.fixture.ts';
import type { Answer, Scenario, ScenarioEvent } from './scenario.fixture.ts';
import { SecondImplementation } from './second-implementation.fixture.ts';

const SIGNALS = atScale(200, 2_000);
const SEED = Number(process.env.TICKWIRE_TEST_SEED ?? 1);
/** Of one session. */
const MOMENTS = 25;
const AT_A_MOMENT = 4;
/** Signals of each kind: otherwise the sessions prove little. */
const LEAST = atScale(2, 20);
const TIMEOUT_MS = 900_000;
const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 3 * HOUR_MS;

const hasPython = Bun.which('python3') !== null;
if (!hasPython) reportSkipped('practice signals and the second implementation', 'python3 is not installed');

describe.skipIf(!hasPython)('practice signals', () => {
  const second = new SecondImplementation<Scenario, { readonly signals: readonly Answer[] }>('judge.py');
  const folder = folderOfBusyAccounts(100_000);
  const past = randomPast(FROM, TO, SEED);
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    await record(folder, past);
    service = await startService({ data: folder, feeds: 'push' });
    ({ key } = await service.key('free', ['read', 'publish']));
  });
  afterAll(async () => {
    await service.stop();
    await second.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(service.url + path, { method, headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) });
  const json = async <T>(response: Promise<Response>): Promise<T> => {
    const given = await response;
    if (!given.ok) throw new Error(await given.text());
    return (await given.json()) as T;
  };

  test(
    `are judged as the second implementation judges them: ${SIGNALS} signals`,
    async () => {
      const random = new Random(SEED);
      const reasons = new Map<string, number>();
      let judged = 0;
      while (judged < SIGNALS) {
        const session = await practise(random);
        for (const spec of SPECS) {
          const events = session.events.get(spec.symbol) ?? [];
          const [answer] = await second.ask([scenarioOf(spec, past, events)]);
          for (const expected of answer!.signals) {
            const published = session.signals.get(expected.signal);
            expect([expected.signal, shown(published)]).toEqual([expected.signal, wanted(expected)]);
            if (!published) continue;
            judged++;
            const kind = published.status === 'closed' ? published.close_reason : published.state;
            reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
          }
        }
      }
      process.stdout.write(`${judged} practice signals: ${[...reasons].map((each) => each.join(' ')).join(', ')}\n`);
      for (const reason of ['take_profit', 'stop_loss', 'manual', 'unfilled', 'expired'])
        expect([reason, (reasons.get(reason) ?? 0) >= LEAST]).toEqual([reason, true]);
    },
    TIMEOUT_MS,
  );

  /** A session in which signals are published, changed and closed at random times. */
  async function practise(random: Random) {
    const range = { symbols: SPECS.map(({ symbol }) => symbol), from: iso(FROM), to: iso(TO) };
    const { id } = await json<ReplaySession>(send('POST', '/api/replays', range));
    const events = new Map<string, ScenarioEvent[]>(SPECS.map(({ symbol }) => [symbol, []]));
    const signals = new Map<string, SignalDetail>();
    const published: { readonly signal: string; readonly symbol: string }[] = [];
    const clocks = Array.from({ length: MOMENTS }, () => random.whole(FROM + 15 * MINUTE_MS, TO - 30 * MINUTE_MS));
    let rejected = 0;
    for (const at of [...new Set(clocks)].sort((a, b) => a - b)) {
      await json(send('PATCH', `/api/replays/${id}`, { seek: iso(at) }));
      for (let number = 0; number < AT_A_MOMENT; number++) {
        const spec = random.of(SPECS);
        const request = randomRequest(random, spec, past, at);
        const response = await send('POST', `/api/signals?replay=${id}`, { symbol: spec.symbol, ...request });
        const name = response.ok ? ((await response.json()) as SignalDetail).id : `rejected_${++rejected}`;
        const { expires_at, ...asked } = request;
        const publication = { ...asked, ...(expires_at !== undefined && { expires_at: Date.parse(expires_at) }) };
        const event = { type: 'publish', at, signal: name, publisher: 'practice', request: publication };
        events.get(spec.symbol)!.push(event as ScenarioEvent);
        if (response.ok) published.push({ signal: name, symbol: spec.symbol });
      }
      if (published.length === 0 || random.chance(0.4)) continue;
      const { signal, symbol } = random.of(published);
      const path = `/api/signals/${signal}`;
      const detail = await json<SignalDetail>(send('GET', `${path}?replay=${id}`));
      const isClose = random.chance(0.5);
      const { digits } = SPECS.find((spec) => spec.symbol === symbol)!;
      const stop_loss = Number((detail.current_stop_loss * 0.8 + detail.entry * 0.2).toFixed(digits));
      const body = isClose ? undefined : { stop_loss };
      const response = await send('POST', `${path}/${isClose ? 'close' : 'amend'}?replay=${id}`, body);
      if (!response.ok) continue;
      const type = isClose ? 'close' : 'amend';
      events.get(symbol)!.push({ type, at, signal, ...body } as ScenarioEvent);
    }
    await json(send('PATCH', `/api/replays/${id}`, { seek: iso(TO) }));
    for (const { signal } of published)
      signals.set(signal, await json(send('GET', `/api/signals/${signal}?replay=${id}`)));
    await json(send('DELETE', `/api/replays/${id}`));
    return { events, signals };
  }
});

/** Near the quote of the time, at the market or pending, with one target or two. */
function randomRequest(
  random: Random,
  { symbol, digits }: InstrumentSpec,
  { ticks }: RecordedPast,
  at: number,
): Omit<SignalRequest, 'symbol'> {
  const quotes = ticks.filter(({ tick, arrival }) => tick.symbol === symbol && tick.kind === 'quote' && arrival <= at);
  const quote = quotes.at(-1)!.tick as { readonly bid: number; readonly ask: number };
  const sign = random.chance(0.5) ? 1 : -1;
  const market = sign === 1 ? quote.ask : quote.bid;
  const price = (given: number): number => Number(given.toFixed(digits));
  const distance = (): number => market * random.whole(2, 25) * 0.0001;
  const isMarket = random.chance(0.5);
  const entry = isMarket ? market : price(market + (random.chance(0.5) ? 1 : -1) * distance());
  const first = entry + sign * distance();
  const last = price(first + sign * distance());
  const hasTwo = random.chance(0.3);
  return {
    direction: sign === 1 ? 'buy' : 'sell',
    ...(isMarket ? { order: 'market' as const } : { entry }),
    stop_loss: price(entry - sign * distance()),
    ...(hasTwo
      ? {
          targets: [
            { price: price(first), fraction: 0.4 },
            { price: last, fraction: 0.6 },
          ],
          ...(random.chance(0.5) && { breakeven_after: 1 }),
        }
      : { take_profit: price(first) }),
    ...(random.chance(0.3) && { expires_at: iso(at + random.whole(1, 40) * MINUTE_MS) }),
  };
}

/** The quotes of an instrument in the order of arrival, with the clock of each minute and what was done. */
function scenarioOf({ symbol, digits, pipSize }: InstrumentSpec, past: RecordedPast, done: readonly ScenarioEvent[]) {
  const timed: { readonly at: number; readonly order: number; readonly event: ScenarioEvent }[] = [];
  for (const { tick, arrival } of past.ticks) {
    if (tick.symbol !== asSymbol(symbol) || tick.kind !== 'quote') continue;
    const { time, bid, ask } = tick;
    const event: ScenarioEvent = { type: 'quote', seq: 0, time, bid, ask, source: 'push:pub_test' };
    timed.push({ at: arrival, order: 1, event });
  }
  for (let time = FROM; time <= TO; time += MINUTE_MS)
    timed.push({ at: time, order: 0, event: { type: 'clock', seq: 0, time } });
  for (const event of done) timed.push({ at: (event as { readonly at: number }).at, order: 2, event });
  const events = timed
    .toSorted((a, b) => a.at - b.at || a.order - b.order)
    .map(({ event }, index) => ('seq' in event ? { ...event, seq: index + 1 } : event));
  return { scenario: 1, instrument: { digits, pip_size: pipSize }, events } as Scenario;
}

/** What the service and the second implementation must agree on. */
function shown(signal: SignalDetail | undefined): object {
  if (!signal) return { rejected: true };
  const { order, state, filled_at, entry_price, exits } = signal;
  return {
    order,
    state,
    filled: filled_at === null ? null : { entry_price, filled_at: Date.parse(filled_at) },
    exits: exits.map(({ price, exited_at }) => ({ price, exited_at: Date.parse(exited_at) })),
    closed:
      signal.status === 'closed'
        ? {
            reason: signal.close_reason,
            closed_at: Date.parse(signal.closed_at),
            exit_price: signal.exit_price,
            pnl: signal.pnl,
            pnl_percent: signal.pnl_percent,
            pnl_r: signal.pnl_r,
          }
        : null,
  };
}

function wanted(answer: Answer): object {
  if ('rejected' in answer) return { rejected: true };
  const { order, state, filled, exits, closed } = answer;
  const fields = ['reason', 'closed_at', 'exit_price', 'pnl', 'pnl_percent', 'pnl_r'];
  return {
    order,
    state,
    filled: filled && { entry_price: filled.entry_price, filled_at: filled.filled_at },
    exits: exits.map(({ price, exited_at }) => ({ price, exited_at })),
    closed: closed && Object.fromEntries(fields.map((field) => [field, closed[field] ?? null])),
  };
}
