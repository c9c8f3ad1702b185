import { beforeAll, describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, DAY_MS, HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import { Conditions } from '../../market/feeds/sim/conditions.ts';
import { Paths } from '../../market/feeds/sim/model.ts';
import { SimMarket, type SimOptions } from '../../market/feeds/sim/sim-market.ts';
import { Curator } from '../curation/curator.ts';
import { formatPercent, formatPrice } from './headline-format.ts';
import { type SimHeadline, SimHeadlines } from './headlines.ts';

const START = Date.parse('2026-05-06T00:00:00Z');
const at = (offset: number) => asEpochMs(START + offset);
const market = (options: Partial<SimOptions> = {}, specs: readonly InstrumentSpec[] = CATALOGUE): SimMarket =>
  new SimMarket(specs, { seed: 7, rate: 50, hours: 'always', ...options });

const sim = market();
let headlines: SimHeadline[] = [];
beforeAll(() => {
  headlines = new SimHeadlines(sim).between(at(0), at(2 * DAY_MS));
});
const price = (symbol: InstrumentSpec['symbol'], time: number): number => sim.midPrice(symbol, asEpochMs(time));
const percent = (symbol: InstrumentSpec['symbol'], time: number, minutes: number): number =>
  (price(symbol, time) / price(symbol, time - minutes * MINUTE_MS) - 1) * 100;
const dollarPercent = (time: number, minutes: number): number => {
  const [euro, pound, yen] = ['EURUSD', 'GBPUSD', 'USDJPY'].map((symbol) =>
    percent(symbol as InstrumentSpec['symbol'], time, minutes),
  );
  return (-euro! - pound! + yen!) / 3;
};

// Independent of the templates.
const RISING =
  /\b(?:edges up|climbs|surges|Buyers in charge|gain of|above its|push \S.* up|Rally|Gains|higher|bid|adds|Demand outweighs)\b/;
const FALLING =
  /\b(?:eases|falls|tumbles|Sellers in charge|loss of|below its|push \S.* down|Retreat|Losses|lower|offered|loses|Supply outweighs)\b/;

describe('simulated headlines', () => {
  test('appear every one to three minutes, in all categories and of every kind', () => {
    const perItem = (2 * DAY_MS) / MINUTE_MS / headlines.length;
    console.log(`simulated headlines: one per ${perItem.toFixed(2)} minutes over two days`);
    expect(perItem).toBeGreaterThan(1);
    expect(perItem).toBeLessThan(3);
    for (const category of ['forex', 'gold', 'crypto', 'macro'])
      expect(headlines.filter((each) => each.category === category).length).toBeGreaterThan(headlines.length / 20);
    expect([...new Set(headlines.map(({ story }) => story.kind))].sort()).toEqual(
      ['after', 'ahead', 'dollar', 'extreme', 'move', 'pressure', 'quiet'].sort() as never,
    );
  });

  test('are the same for every call, in pieces of any size', () => {
    const pieces = new SimHeadlines(market());
    const collected: SimHeadline[] = [];
    pieces.between(at(1.4 * DAY_MS), at(1.5 * DAY_MS));
    for (let from = 0; from < 2 * DAY_MS; from += 7 * HOUR_MS + 1234)
      collected.push(...pieces.between(at(from), at(Math.min(2 * DAY_MS, from + 7 * HOUR_MS + 1234))));
    const plain = (list: readonly SimHeadline[]) => list.map(({ guid, time, title }) => `${guid} ${time} ${title}`);
    expect(plain(collected)).toEqual(plain(headlines));
    expect(plain(new SimHeadlines(market({ seed: 8 })).between(at(0), at(DAY_MS / 4)))).not.toEqual(
      plain(headlines.filter(({ time }) => time < at(DAY_MS / 4))),
    );
  });

  test('have unique guids and are ordered by time', () => {
    expect(new Set(headlines.map(({ guid }) => guid)).size).toBe(headlines.length);
    for (let next = 1; next < headlines.length; next++)
      expect(headlines[next]!.time).toBeGreaterThan(headlines[next - 1]!.time);
  });

  test('describe a move correctly: direction, size, price and time span', () => {
    const moves = headlines.flatMap(({ title, time, story }) =>
      story.kind === 'move' ? [{ title, time, story }] : [],
    );
    expect(moves.length).toBeGreaterThan(300);
    for (const { title, time, story } of moves) {
      const { spec } = story.instrument;
      const moved = percent(spec.symbol, time, story.minutes);
      const claim = title.replace(/ as (?:dollar|most coins) \w+/, '');
      expect([title, RISING.test(claim), FALLING.test(claim)]).toEqual([title, moved > 0, moved < 0]);
      expect(title).toContain(formatPercent(moved));
      expect(title).toContain(formatPrice(price(spec.symbol, time), spec));
      const span = { 15: '15 minutes', 60: 'an hour', 120: 'two hours', 240: 'four hours' }[story.minutes]!;
      const since = new Date(time - story.minutes * MINUTE_MS).toISOString().slice(11, 16);
      expect(title.includes(span) || title.includes(`${since} UTC`)).toBe(true);
      if (title.includes('as dollar firms')) expect(dollarPercent(time, story.minutes)).toBeGreaterThan(0);
      if (title.includes('as dollar slips')) expect(dollarPercent(time, story.minutes)).toBeLessThan(0);
      const coins = CATALOGUE.filter(({ type }) => type === 'crypto');
      const up = coins.filter(({ symbol }) => percent(symbol, time, story.minutes) > 0).length;
      if (title.includes('most coins rise')) expect(up).toBeGreaterThan(coins.length / 2);
      if (title.includes('most coins fall')) expect(up).toBeLessThan(coins.length / 2);
    }
  });

  test('report a high or low of the day only if no earlier price was beyond it', () => {
    let checked = 0;
    for (const { title, time, story } of headlines) {
      if (story.kind !== 'extreme') continue;
      const { symbol } = story.instrument.spec;
      const now = price(symbol, time);
      expect(/\b(?:high|strongest|peak|above|higher)\b/.test(title)).toBe(story.direction > 0);
      expect(/\b(?:low|weakest|trough|below|lower)\b/.test(title)).toBe(story.direction < 0);
      let beyond = 0;
      for (let moment = Math.floor(time / DAY_MS) * DAY_MS; moment < time - MINUTE_MS; moment += 5_000)
        if ((price(symbol, moment) - now) * story.direction > 0) beyond++;
      expect([title, beyond]).toEqual([title, 0]);
      if (++checked === 60) break;
    }
    expect(checked).toBe(60);
  });

  test('report pressure, quiet and the dollar only if they are real', () => {
    const scout = new Paths(sim.model.factors);
    const seen = { pressure: 0, quiet: 0, dollar: 0, after: 0 };
    for (const { title, time, story } of headlines) {
      if (story.kind === 'pressure') {
        const conditions = new Conditions(sim.model, story.instrument, scout);
        conditions.refresh(Math.floor(time / 1000));
        expect(conditions.pressure).toBe(story.direction);
        const buyers = /^Buyers press|Heavy buying|strong buying|soak up demand/.test(title);
        expect([title, buyers]).toEqual([title, story.direction > 0]);
      } else if (story.kind === 'quiet') {
        const { symbol } = story.instrument.spec;
        for (let back = 1; back < story.minutes; back += 10) {
          const then = price(symbol, Math.floor(time / MINUTE_MS) * MINUTE_MS - back * MINUTE_MS);
          expect(then).toBeGreaterThanOrEqual(story.low * (1 - 1e-9));
          expect(then).toBeLessThanOrEqual(story.high * (1 + 1e-9));
        }
      } else if (story.kind === 'dollar' || story.kind === 'after') {
        const moved = dollarPercent(time, story.minutes);
        const strong = /\b(?:firms|give direction|gains|strength|up|adds|rises|lifts|higher|strengthens)\b/.test(title);
        expect([title, strong]).toEqual([title, moved > 0]);
        expect(title).toContain(formatPercent(moved));
      } else continue;
      seen[story.kind]++;
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });

  test('pass curation as new items with the same category and only their instrument', () => {
    const curator = new Curator({ instruments: CATALOGUE });
    for (const { guid, time, title, category, story } of headlines) {
      const raw = { source: 'Wire', account: null, category, weight: 1, guid, url: null, title, summary: null };
      const curated = curator.take({ ...raw, publishedAt: time, seenAt: time });
      expect([title, curated.kind]).toEqual([title, 'new']);
      if (curated.kind !== 'new') continue;
      expect([title, curated.item.category]).toEqual([title, category]);
      expect(curated.item.title).toBe(title);
      if ('instrument' in story) expect(curated.item.symbols).toEqual([story.instrument.spec.symbol]);
    }
  });

  test('do not report on closed markets', () => {
    const saturday = Date.parse('2026-05-09T12:00:00Z');
    const weekend = new SimHeadlines(market({ hours: 'real' })).between(
      asEpochMs(saturday),
      asEpochMs(saturday + 4 * 3_600_000),
    );
    expect(weekend.length).toBeGreaterThan(10);
    for (const { story } of weekend) if ('instrument' in story) expect(story.instrument.spec.type).toBe('crypto');
  });

  test('names a share by its symbol, never a company', () => {
    const share = {
      ...CATALOGUE[0]!,
      symbol: 'ACME' as InstrumentSpec['symbol'],
      name: 'Acme Corporation',
      type: 'equity',
    } as const;
    const generated = new SimHeadlines(market({}, [share])).between(at(0), at(DAY_MS));
    expect(generated.length).toBeGreaterThan(10);
    for (const { title } of generated) expect(title).not.toContain('Corporation');
  });
});
