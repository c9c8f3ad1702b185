// The judge across a restart, without the service around it.
import { expect, test } from 'bun:test';
import type { AlertCondition, CalendarEvent, NewsDetail } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, Engine, type EngineEvent, type EngineInput } from '@tickwire/engine';
import type { AlertRow } from '../store/alert-store.ts';
import { AlertJudge } from './alert-judge.ts';
import { firingOf } from './firing-messages.ts';
import { JudgedSoFar } from './judged-so-far.ts';
import type { Outbox } from './outbox.ts';
import { SubscriptionList } from './subscription-list.ts';

const EURUSD = asSymbol('EURUSD');
const START = Date.UTC(2026, 2, 3, 10);
const MINUTE = 60_000;

interface TestJudge {
  readonly judge: AlertJudge;
  readonly fired: string[];
}

function openJudge(subscriptions = new SubscriptionList(), hidden = 'Simulated Wire'): TestJudge {
  const fired: string[] = [];
  const outbox = { write: (each: { alert: string; cause: string }) => fired.push(`${each.alert} ${each.cause}`) };
  const judge = new AlertJudge({
    instruments: CATALOGUE,
    subscriptions,
    isActive: () => true,
    hidden: { news: hidden, calendar: hidden },
    now: () => START + 40_000,
    outbox: outbox as unknown as Outbox,
  });
  return { judge, fired };
}

const alertRow = (condition: AlertCondition, more: Partial<AlertRow> = {}): AlertRow => ({
  id: 'a',
  account: 'acc',
  symbol: EURUSD,
  condition: JSON.stringify(condition),
  repeat: 'every_time',
  interval: null,
  cooldownMs: 0,
  expiresAt: null,
  note: null,
  deliver: [],
  createdAt: START,
  sinceSeq: 0,
  sinceTime: START,
  paused: false,
  done: false,
  fired: 0,
  lastFiredAt: null,
  state: null,
  ...more,
});

/** A market whose quotes are on a tape; the clock is not. */
class Market {
  readonly tape: { readonly seq: number; readonly event: EngineInput }[] = [];
  readonly bars: Bar[] = [];
  readonly #engine = new Engine(CATALOGUE);
  readonly #judges: AlertJudge[] = [];
  #seq = 0;

  watch(judge: AlertJudge): void {
    this.#judges.push(judge);
  }

  quote(time: number, bid: number): void {
    const quote: EngineInput = {
      kind: 'quote',
      symbol: EURUSD,
      time: asEpochMs(START + time),
      bid,
      ask: bid + 0.0001,
      bidSize: 1,
      askSize: 1,
    };
    this.tape.push({ seq: this.#seq + 1, event: quote });
    this.#apply(quote);
  }

  clock(time: number): void {
    this.#apply({ kind: 'clock', time: asEpochMs(START + time) });
  }

  replay(judge: AlertJudge): void {
    const engine = new Engine(CATALOGUE);
    for (const { seq, event } of this.tape) {
      const out: EngineEvent[] = [];
      engine.apply(event, out);
      for (const each of out) judge.replay(seq, each);
    }
    judge.restored();
    judge.caughtUp();
  }

  #apply(event: EngineInput): void {
    const events: EngineEvent[] = [];
    this.#engine.apply(event, events);
    for (const each of events) if (each.kind === 'bar' && each.timeframe === '1m') this.bars.push(each.bar);
    for (const judge of this.#judges) judge.read({ firstSeq: this.#seq + 1, source: '', events });
    this.#seq += events.length;
  }
}

/** Bars that the store had at the crash. */
const storedBars = (bars: readonly Bar[]) => ({
  bars: async ({ to, limit }: { to: number; limit: number }) => bars.filter(({ time }) => time <= to).slice(-limit),
});

for (const isStored of [true, false])
  test(`an indicator misses no bar at a restart, with the last bars in the store: ${isStored}`, async () => {
    const market = new Market();
    const before = openJudge();
    const row = alertRow({ type: 'indicator', indicator: 'sma(3)', interval: '1m', cross: 'above', value: 1.1015 });
    before.judge.begin(row, {});
    before.judge.commit('a');
    market.watch(before.judge);
    for (let minute = 0; minute < 5; minute++) {
      market.quote(minute * MINUTE + 100, 1.1);
      market.clock(minute * MINUTE + 59_500);
    }
    market.quote(5 * MINUTE + 100, 1.106);
    market.clock(5 * MINUTE + 59_500);
    // A tick closes the bar before the clock does: it fires.
    market.quote(6 * MINUTE + 20, 1.1);
    expect(before.fired).toHaveLength(1);

    const after = openJudge();
    const stored = { ...row, ...before.judge.progressOf(before.judge.rows.get('a')!) };
    after.judge.restore(stored);
    await after.judge.bars.load(storedBars(isStored ? [...market.bars] : market.bars.slice(0, 3)) as never, [stored]);
    market.replay(after.judge);
    market.watch(after.judge);
    expect(after.fired).toEqual([]);
    for (const minute of [7, 8, 9, 10, 11]) market.quote(minute * MINUTE + 20, minute === 9 ? 1.1 : 1.106);
    expect(after.fired).toEqual(before.fired.slice(1));
    expect(after.judge.book.stateOf('a')).toBe(before.judge.book.stateOf('a'));
  });

test('an event of the replay costs the same however many alerts wait behind it', () => {
  const { judge } = openJudge();
  for (let n = 0; n < 20_000; n++)
    judge.restore(
      alertRow(
        { type: 'price', cross: 'above', level: 2 + n / 1e5, side: 'bid' },
        { id: `a${n}`, sinceSeq: 1_000_000 },
      ),
    );
  const market = new Market();
  for (let n = 0; n < 2_000; n++) market.quote(n * 10, 1.1 + (n % 10) / 1e4);
  // Sorting them for each event would take over a minute, longer than a test may take.
  market.replay(judge);
  expect(judge.book.size).toBe(20_000);
});

const headline = (more: Partial<NewsDetail> = {}): NewsDetail =>
  ({
    id: 'n1',
    title: 'Fed cuts',
    category: 'forex',
    sentiment: 'neutral',
    source: 'Desk One',
    symbols: ['EURUSD'],
    sentiments: [{ symbol: 'EURUSD', sentiment: 'neutral', sentiment_score: 0 }],
    timestamp: new Date(START).toISOString(),
    revision: 0,
    ...more,
  }) as NewsDetail;
const newsEvent = (item: NewsDetail) => ({ kind: 'news', item, revised: false }) as const;
const readNews = (judge: AlertJudge, seq: number, item = headline()): void =>
  judge.read({ firstSeq: seq, source: '', events: [newsEvent(item)] });

/** A judge that begins where another one stopped. */
function resumed(before: AlertJudge): TestJudge {
  const after = openJudge();
  after.judge.restoreMarks(before.marks);
  for (const row of before.rows.all()) after.judge.restore({ ...row, ...before.progressOf(row) });
  after.judge.restored();
  return after;
}

test('a headline that is published again concerns nobody who came after it', () => {
  const subscriptions = new SubscriptionList();
  const set = { createdAt: START + 20_000 };
  const followed = { account: 'acc', publisher: null, symbol: null, category: 'forex', mirror: false, deliver: [] };
  subscriptions.add({ ...followed, ...set, id: 'sub', events: ['published'], sinceN: 0 });
  const { judge, fired } = openJudge(subscriptions);
  judge.restoreMarks({ judgedUntil: 100, signalN: 0, newsAt: START });
  judge.restore(alertRow({ type: 'headline' }, { ...set, sinceSeq: 100, sinceTime: START + 20_000 }));
  judge.restored();
  judge.catchUpNews(headline(), START);
  judge.caughtUp();
  readNews(judge, 200);
  expect(fired).toEqual([]);
  readNews(judge, 201, headline({ id: 'n2' }));
  expect(fired.sort()).toEqual(['a news:n2', 'sub news:n2']);
});

test('a headline is judged by the states of its moment, and not again by those after a restart', () => {
  const { judge, fired } = openJudge();
  const above = { type: 'price', is: 'above', level: 1.2, side: 'bid' } as const;
  judge.caughtUp();
  judge.begin(alertRow({ type: 'all', of: [{ type: 'headline' }, above] }), {});
  judge.commit('a');
  const market = new Market();
  market.watch(judge);
  market.quote(1_000, 1.1);
  readNews(judge, 100);
  market.quote(5_000, 1.21);
  const after = resumed(judge);
  after.judge.catchUpNews(headline(), START + 1_000);
  after.judge.caughtUp();
  expect([...fired, ...after.fired]).toEqual([]);
});

test('a headline that was processed for long before a crash is caught up', () => {
  const { judge } = openJudge();
  judge.caughtUp();
  judge.begin(alertRow({ type: 'headline' }, { createdAt: START - MINUTE, sinceTime: START - MINUTE }), {});
  judge.commit('a');
  readNews(judge, 100, headline({ id: 'later' }));
  const after = resumed(judge);
  // Its source dates it before the alert; the service received it after.
  const slow = headline({ id: 'slow', timestamp: new Date(START - 2 * MINUTE).toISOString() });
  for (const item of [headline({ id: 'later' }), slow]) after.judge.catchUpNews(item, START - 30_000);
  after.judge.caughtUp();
  expect(after.fired).toEqual(['a news:slow']);
});

for (const source of ['Simulated Wire', 'Desk One'])
  test(`items of ${source} fire ${source === 'Desk One' ? 'their alerts' : 'nothing, as its source is hidden'}`, () => {
    const { judge, fired } = openJudge();
    judge.caughtUp();
    judge.begin(alertRow({ type: 'headline' }), {});
    judge.begin(alertRow({ type: 'calendar', minutes: 15, impact: 'high' }, { id: 'b' }), {});
    for (const id of ['a', 'b']) judge.commit(id);
    readNews(judge, 100, headline({ source }));
    judge.catchUpNews(headline({ id: 'n2', source }), START + 1_000);
    const release = { id: 'e1', title: 'Payrolls', impact: 'high', country: 'US', symbols: ['EURUSD'], source };
    const times = { time: new Date(START + 16 * MINUTE).toISOString(), updated_at: new Date(START).toISOString() };
    judge.catchUpCalendar({ ...release, ...times, all_day: false, status: 'scheduled' } as CalendarEvent);
    const time = asEpochMs(START + 2 * MINUTE);
    judge.read({ firstSeq: 101, source: '', events: [{ kind: 'clock', time }] });
    const all = ['a news:n1', 'a news:n2', `b calendar:e1:${START + 16 * MINUTE}`];
    expect(fired).toEqual(source === 'Desk One' ? all : []);
  });

test('judged headlines are forgotten when no catch-up looks back so far', () => {
  const news = new Map(Array.from({ length: 2_010 }, (_, n) => [`n${n}`, START + n]));
  const judged = new JudgedSoFar();
  judged.restore({ judgedUntil: 0, signalN: 0, newsAt: 0, news });
  judged.addNews('next', START, START + 3_000);
  expect(judged.marks.news!.size).toBe(2_000);
  judged.addNews('last', START, START + 120 * MINUTE);
  expect([...judged.marks.news!.keys()]).toEqual(['last']);
});

test('a headline is late by the time at which the service learned of it', () => {
  const fired = {
    account: 'acc',
    alert: 'a',
    cause: 'news:n1',
    condition: { type: 'headline' },
    title: 'Fed cuts',
  } as const;
  const at = { symbol: null, note: null, price: null, seq: 1, time: asEpochMs(START), firedAt: START + 60_000 };
  expect(firingOf({ ...fired, ...at })).toMatchObject({ late: true });
  expect(firingOf({ ...fired, ...at, knownAt: START + 59_000 })).toMatchObject({ late: false });
});
