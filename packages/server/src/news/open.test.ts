// The news of a whole service over its restarts, and of which news the market is asked.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, asSymbol, CATALOGUE } from '@tickwire/engine';
import { Models } from '../ai/models.ts';
import type { Scorer } from '../ai/scorer.ts';
import { loadConfig } from '../config.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog } from '../ops/log.ts';
import { news } from '../store/news-samples.fixture.ts';
import { bar, MINUTE, MONDAY } from '../store/samples.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { TestWire } from '../testing/newswire.fixture.ts';
import { eventually } from '../testing/process.fixture.ts';
import { type RunningService, type Settings, startService, temporaryFolder } from '../testing/service.fixture.ts';
import { openNews } from './open.ts';
import { SIM_SOURCE } from './sim/open.ts';
import { FakePublisher, feed, rss } from './sources/fake-publisher.fixture.ts';

let data: string;
let service: RunningService | null = null;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(async () => {
  await service?.stop();
  service = null;
  rmSync(data, { recursive: true, force: true });
});

/** Stops what runs and starts it anew on the same folder. */
async function restart(settings: Settings): Promise<TestWire> {
  await service?.stop();
  service = null;
  service = await startService({ data, ...settings });
  return TestWire.of(service, ['read', 'ingest']);
}

test('from a file of sources items come within an interval, scored; two that have the same are one, a bad one harms none', async () => {
  await using publisher = await FakePublisher.open();
  const items = (...titles: string[]) => titles.map((title) => ({ title, guid: title, date: new Date() }));
  publisher
    .on('/one', feed(rss(items('Gold climbs to a record high as the dollar slides', 'Bitcoin slumps after a hack'))))
    .on('/two', feed(rss(items('Gold climbs to a record high as the dollar slides'))))
    .on('/bad', feed('<html>no feed</html>'));
  const sources = ['one', 'two', 'bad'].map((name) => ({ name, url: publisher.url(`/${name}`) }));
  const file = join(data, 'sources.json');
  writeFileSync(file, JSON.stringify({ interval_seconds: 15, sources }));
  const wire = await restart({ news: file });
  await eventually('both, and folded', async () => (await wire.items()).some(({ cluster }) => cluster === 2), 15_000);
  const shown = (await wire.items()).map(({ title, sentiment, cluster }) => [title, sentiment, cluster]);
  expect(shown.toSorted()).toEqual([
    ['Bitcoin slumps after a hack', 'bearish', 1],
    ['Gold climbs to a record high as the dollar slides', 'bullish', 2],
  ]);
  const admin = await TestWire.of(service!, ['admin']);
  await eventually('the bad one is named', async () => {
    const { items: states } = (await (await admin.get('/api/news/sources')).json()) as {
      items: { name: string; state: string; last_error: string | null }[];
    };
    const { state, last_error } = states.find(({ name }) => name === 'bad')!;
    return state === 'failing' && last_error !== null && states.filter((each) => each.state === 'ok').length === 2;
  });
}, 30_000);

describe('after a restart', () => {
  test('the items of the earlier run are there, in their order, and known: a repeat is none, a change a revision', async () => {
    let wire = await restart({ feeds: 'push' });
    const time = Date.now() - 60_000;
    // Two of the same time: the one that came later stands first.
    await wire.send({ title: 'Gold climbs on haven demand', id: '1', time });
    await wire.shows('Gold climbs on haven demand');
    await wire.send(
      { title: 'Bitcoin slides below support', id: '2', time },
      { title: 'Euro steadies before the ECB', id: '3', time: time + 1 },
    );
    await wire.shows('Euro steadies before the ECB');
    const before = await wire.items();
    expect(before).toHaveLength(3);
    const account = wire.issued.account.name;

    wire = await restart({ feeds: 'push' });
    expect(await wire.items()).toEqual(before);
    const again = { id: '1', time, source: account };
    await wire.send({ ...again, title: 'Gold climbs on haven demand' });
    await wire.send({ ...again, title: 'Gold climbs 2% on haven demand' });
    expect(await wire.shows('Gold climbs 2% on haven demand')).toMatchObject({
      id: before.find(({ title }) => title.startsWith('Gold'))!.id,
      revision: 1,
    });
    expect(await wire.items()).toHaveLength(3);
  });

  test('simulated headlines are those of before and what was missed, each once', async () => {
    let wire = await restart({ news: 'sim' });
    await eventually('headlines', async () => (await wire.items()).length > 20);
    await eventually('all of them', async () => {
      const { length } = await wire.items();
      await Bun.sleep(200);
      return (await wire.items()).length === length;
    });
    const before = await wire.items();
    for (const { source } of before) expect(source).toBe(SIM_SOURCE);
    wire = await restart({ news: 'sim' });
    let after = await wire.items();
    // The feed shows 200; what is new at its head pushes out as much at its end.
    const missing = (): unknown[] => before.slice(0, 150).filter((item) => !after.some(({ id }) => id === item.id));
    // What was not scored yet when it stopped is scored again.
    await eventually(
      'the headlines of before',
      async () => {
        after = await wire.items();
        return missing().length === 0;
      },
      10_000,
    );
    await Bun.sleep(1_500);
    after = await wire.items();
    expect(missing()).toEqual([]);
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
  }, 30_000);

  test('simulated headlines do not come up among real ones, whatever the folder has seen', async () => {
    let wire = await restart({ news: 'sim' });
    await eventually('headlines', async () => (await wire.items()).length > 0);
    wire = await restart({ news: 'none' });
    expect(await wire.items()).toEqual([]);
    await wire.send({ title: 'Gold climbs on haven demand' });
    await wire.shows('Gold climbs on haven demand');
    wire = await restart({ news: 'sim' });
    await eventually('headlines', async () => (await wire.items()).some(({ source }) => source === SIM_SOURCE));
    expect(await wire.titles()).toContain('Gold climbs on haven demand');
    wire = await restart({ news: 'none' });
    expect(await wire.titles()).toEqual(['Gold climbs on haven demand']);
  }, 20_000);
});

describe('the market is asked', () => {
  const scorer: Scorer = {
    id: 'local',
    kind: 'local',
    version: 'v',
    available: () => true,
    score: async () => [],
    stop: async () => {},
  };

  /** How many moves were measured under these settings, and after which of the two items. */
  async function measured(flags: Record<string, string>): Promise<{ moves: number; after: string[] }> {
    const config = loadConfig({ flags: { ...flags, data }, env: {}, cwd: data });
    const store = openSqliteStore({ folder: data, realm: config.realm, exclusive: true });
    const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
    const models = new Models({ local: scorer, llm: null });
    const symbol = asSymbol('XAUUSD');
    const bars = Array.from({ length: 300 }, (_, minute) => bar({ symbol, time: asEpochMs(MONDAY + minute * MINUTE) }));
    await store.market.write({ bars, prices: [], barsUntil: MONDAY + 300 * MINUTE });
    await store.news.put([
      news('real', 10, { category: 'gold', source: 'a wire', model: 'real' }),
      news('sim', 10, { category: 'gold', source: SIM_SOURCE, model: 'sim' }),
    ]);
    const now = (): number => MONDAY + 300 * MINUTE;
    const opened = await openNews({ config, instruments: CATALOGUE, store, journal, models, now, log: silentLog });
    await opened.measure(now());
    await opened.measure(now());
    const { rows } = await store.news.calibration();
    // What was measured stays when old items go.
    expect(await opened.prune(now() + 90 * 86_400_000)).toBe(2);
    expect((await store.news.calibration()).rows).toEqual(rows);
    await opened.stop();
    await store.close();
    const moves = rows.reduce((sum, { items }) => sum + items, 0);
    return { moves, after: [...new Set(rows.map(({ model }) => model))] };
  }

  test('about real news where its prices are real, once per horizon', async () => {
    expect(await measured({ feeds: 'push', news: 'feeds' })).toEqual({ moves: 3, after: ['real'] });
  });

  test('about simulated headlines where it is simulated', async () => {
    expect(await measured({ news: 'sim' })).toEqual({ moves: 3, after: ['sim'] });
  });

  test('never about real news where its prices are simulated', async () => {
    expect(await measured({ news: 'none' })).toEqual({ moves: 0, after: [] });
  });
});
