import { beforeAll, describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { Conditions } from '../../feeds/sim/conditions.ts';
import { SimMarket, type SimOptions } from '../../feeds/sim/market.ts';
import { Paths } from '../../feeds/sim/model.ts';
import { Curator } from '../curation/curator.ts';
import { percentText, priceText } from './figures.ts';
import { type SimHeadline, SimHeadlines } from './headlines.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const START = Date.parse('2026-05-06T00:00:00Z');
const at = (offset: number) => asEpochMs(START + offset);
const market = (options: Partial<SimOptions> = {}, specs: readonly InstrumentSpec[] = CATALOGUE): SimMarket =>
  new SimMarket(specs, { seed: 7, rate: 50, hours: 'always', ...options });

const sim = market();
let headlines: SimHeadline[] = [];
beforeAll(() => {
  headlines = new SimHeadlines(sim).between(at(0), at(2 * DAY));
});
const price = (symbol: InstrumentSpec['symbol'], time: number): number => sim.midPrice(symbol, asEpochMs(time));
const percent = (symbol: InstrumentSpec['symbol'], time: number, minutes: number): number =>
  (price(symbol, time) / price(symbol, time - minutes * MINUTE) - 1) * 100;
const dollarPercent = (time: number, minutes: number): number => {
  const [euro, pound, yen] = ['EURUSD', 'GBPUSD', 'USDJPY'].map((symbol) =>
    percent(symbol as InstrumentSpec['symbol'], time, minutes),
  );
  return (-euro! - pound! + yen!) / 3;
};

// Independent of the tables that the headlines are written from.
const RISING =
  /\b(?:edges up|climbs|surges|Buyers in charge|gain of|above its|push \S.* up|Rally|Gains|higher|bid|adds|Demand outweighs)\b/;
const FALLING =
  /\b(?:eases|falls|tumbles|Sellers in charge|loss of|below its|push \S.* down|Retreat|Losses|lower|offered|loses|Supply outweighs)\b/;

describe('simulated headlines', () => {
  test('come every one to three minutes, in all four categories and of every kind', () => {
    const perItem = (2 * DAY) / MINUTE / headlines.length;
    console.log(`simulated headlines: one per ${perItem.toFixed(2)} minutes over two days`);
    expect(perItem).toBeGreaterThan(1);
    expect(perItem).toBeLessThan(3);
    for (const category of ['forex', 'gold', 'crypto', 'macro'])
      expect(headlines.filter((each) => each.category === category).length).toBeGreaterThan(headlines.length / 20);
    expect([...new Set(headlines.map(({ story }) => story.kind))].sort()).toEqual(
      ['after', 'ahead', 'dollar', 'extreme', 'move', 'pressure', 'quiet'].sort() as never,
    );
  });

  test('are the same for whoever asks, whenever, in whatever pieces', () => {
    const pieces = new SimHeadlines(market());
    const told: SimHeadline[] = [];
    pieces.between(at(1.4 * DAY), at(1.5 * DAY));
    for (let from = 0; from < 2 * DAY; from += 7 * 3_600_000 + 1234)
      told.push(...pieces.between(at(from), at(Math.min(2 * DAY, from + 7 * 3_600_000 + 1234))));
    const plain = (list: readonly SimHeadline[]) => list.map(({ guid, time, title }) => `${guid} ${time} ${title}`);
    expect(plain(told)).toEqual(plain(headlines));
    expect(plain(new SimHeadlines(market({ seed: 8 })).between(at(0), at(DAY / 4)))).not.toEqual(
      plain(headlines.filter(({ time }) => time < at(DAY / 4))),
    );
  });

  test('have names of their own and stand in the order of time', () => {
    expect(new Set(headlines.map(({ guid }) => guid)).size).toBe(headlines.length);
    for (let next = 1; next < headlines.length; next++)
      expect(headlines[next]!.time).toBeGreaterThan(headlines[next - 1]!.time);
  });

  test('say of a move what the price did: the way, the size, the price, over the time they state', () => {
    const moves = headlines.flatMap(({ title, time, story }) =>
      story.kind === 'move' ? [{ title, time, story }] : [],
    );
    expect(moves.length).toBeGreaterThan(300);
    for (const { title, time, story } of moves) {
      const { spec } = story.instrument;
      const moved = percent(spec.symbol, time, story.minutes);
      const told = title.replace(/ as (?:dollar|most coins) \w+/, '');
      expect([title, RISING.test(told), FALLING.test(told)]).toEqual([title, moved > 0, moved < 0]);
      expect(title).toContain(percentText(moved));
      expect(title).toContain(priceText(price(spec.symbol, time), spec));
      const span = { 15: '15 minutes', 60: 'an hour', 120: 'two hours', 240: 'four hours' }[story.minutes]!;
      const since = new Date(time - story.minutes * MINUTE).toISOString().slice(11, 16);
      expect(title.includes(span) || title.includes(`${since} UTC`)).toBe(true);
      if (title.includes('as dollar firms')) expect(dollarPercent(time, story.minutes)).toBeGreaterThan(0);
      if (title.includes('as dollar slips')) expect(dollarPercent(time, story.minutes)).toBeLessThan(0);
      const coins = CATALOGUE.filter(({ type }) => type === 'crypto');
      const up = coins.filter(({ symbol }) => percent(symbol, time, story.minutes) > 0).length;
      if (title.includes('most coins rise')) expect(up).toBeGreaterThan(coins.length / 2);
      if (title.includes('most coins fall')) expect(up).toBeLessThan(coins.length / 2);
    }
  });

  test('call a price the highest or lowest of the day only if it is, every five seconds since midnight', () => {
    let checked = 0;
    for (const { title, time, story } of headlines) {
      if (story.kind !== 'extreme') continue;
      const { symbol } = story.instrument.spec;
      const now = price(symbol, time);
      expect(/\b(?:high|strongest|peak|above|higher)\b/.test(title)).toBe(story.way > 0);
      expect(/\b(?:low|weakest|trough|below|lower)\b/.test(title)).toBe(story.way < 0);
      let beyond = 0;
      for (let moment = Math.floor(time / DAY) * DAY; moment < time - MINUTE; moment += 5_000)
        if ((price(symbol, moment) - now) * story.way > 0) beyond++;
      expect([title, beyond]).toEqual([title, 0]);
      if (++checked === 60) break;
    }
    expect(checked).toBe(60);
  });

  test('speak of pressure, of quiet and of the dollar only where there is', () => {
    const scout = new Paths(sim.model.factors);
    const seen = { pressure: 0, quiet: 0, dollar: 0, after: 0 };
    for (const { title, time, story } of headlines) {
      if (story.kind === 'pressure') {
        const conditions = new Conditions(sim.model, story.instrument, scout);
        conditions.refresh(Math.floor(time / 1000));
        expect(conditions.pressed).toBe(story.way);
        const buyers = /^Buyers press|Heavy buying|strong buying|soak up demand/.test(title);
        expect([title, buyers]).toEqual([title, story.way > 0]);
      } else if (story.kind === 'quiet') {
        const { symbol } = story.instrument.spec;
        for (let back = 1; back < story.minutes; back += 10) {
          const then = price(symbol, Math.floor(time / MINUTE) * MINUTE - back * MINUTE);
          expect(then).toBeGreaterThanOrEqual(story.low * (1 - 1e-9));
          expect(then).toBeLessThanOrEqual(story.high * (1 + 1e-9));
        }
      } else if (story.kind === 'dollar' || story.kind === 'after') {
        const moved = dollarPercent(time, story.minutes);
        const strong = /\b(?:firms|give way|gains|strength|up|adds|rises|lifts|higher|strengthens)\b/.test(title);
        expect([title, strong]).toEqual([title, moved > 0]);
        expect(title).toContain(percentText(moved));
      } else continue;
      seen[story.kind]++;
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });

  test('are no repetition by the rules of curation, keep their category, and name their instrument alone', () => {
    const curator = new Curator({ instruments: CATALOGUE });
    for (const { guid, time, title, category, story } of headlines) {
      const raw = { source: 'Wire', category, weight: 1, guid, url: null, title, summary: null };
      const curated = curator.take({ ...raw, publishedAt: time, seenAt: time });
      expect([title, curated.kind]).toEqual([title, 'new']);
      if (curated.kind !== 'new') continue;
      expect([title, curated.item.category]).toEqual([title, category]);
      expect(curated.item.title).toBe(title);
      if ('instrument' in story) expect(curated.item.symbols).toEqual([story.instrument.spec.symbol]);
    }
  });

  test('do not speak of markets that are closed where they keep hours', () => {
    const saturday = Date.parse('2026-05-09T12:00:00Z');
    const weekend = new SimHeadlines(market({ hours: 'real' })).between(
      asEpochMs(saturday),
      asEpochMs(saturday + 4 * 3_600_000),
    );
    expect(weekend.length).toBeGreaterThan(10);
    for (const { story } of weekend) if ('instrument' in story) expect(story.instrument.spec.type).toBe('crypto');
  });

  test('a catalogue of one share is told of by its symbol, and no company is named', () => {
    const share = {
      ...CATALOGUE[0]!,
      symbol: 'ACME' as InstrumentSpec['symbol'],
      name: 'Acme Corporation',
      type: 'equity',
    } as const;
    const told = new SimHeadlines(market({}, [share])).between(at(0), at(DAY));
    expect(told.length).toBeGreaterThan(10);
    for (const { title } of told) expect(title).not.toContain('Corporation');
  });
});
