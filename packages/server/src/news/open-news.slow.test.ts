// News of a whole service across restarts, and which news is measured against the market.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, asSymbol, CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { FakePublisher, feed, rss } from '../../testing/news/fake-publisher.fixture.ts';
import { TestWire } from '../../testing/newswire.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, type Settings, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { news } from '../../testing/store/news-samples.fixture.ts';
import { bar, MONDAY } from '../../testing/store/samples.fixture.ts';
import { Models } from '../ai/models.ts';
import type { Scorer } from '../ai/scorer.ts';
import { loadConfig } from '../config/config.ts';
import { SIM_SOURCE } from '../documents/source.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { openNews } from './open-news.ts';

const IDLE_SCORER: Scorer = {
  id: 'local',
  kind: 'local',
  version: 'v',
  available: () => true,
  score: async () => [],
  stop: async () => {},
};

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

/** Stops the service and starts it again on the same folder. */
async function restart(settings: Settings): Promise<TestWire> {
  await service?.stop();
  service = null;
  service = await startService({ data, ...settings });
  return TestWire.of(service, ['read', 'ingest']);
}

test('publishes scored items of a sources file within an interval, clusters duplicates, and tolerates a bad source', async () => {
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
  await eventually(
    'both items, clustered',
    async () => (await wire.items()).some(({ cluster }) => cluster === 2),
    60_000,
  );
  const shown = (await wire.items()).map(({ title, sentiment, cluster }) => [title, sentiment, cluster]);
  expect(shown.toSorted()).toEqual([
    ['Bitcoin slumps after a hack', 'bearish', 1],
    ['Gold climbs to a record high as the dollar slides', 'bullish', 2],
  ]);
  const admin = await TestWire.of(service!, ['admin']);
  await eventually('the failing source is reported', async () => {
    const { items: states } = (await (await admin.get('/api/news/sources')).json()) as {
      items: { name: string; state: string; last_error: string | null }[];
    };
    const { state, last_error } = states.find(({ name }) => name === 'bad')!;
    return state === 'failing' && last_error !== null && states.filter((each) => each.state === 'ok').length === 2;
  });
});

test('pushed news never changes an item of a configured source, and cannot use its name', async () => {
  await using publisher = await FakePublisher.open();
  const title = 'Gold climbs to a record high as the dollar slides';
  publisher.on('/one', feed(rss([{ title, guid: 'one-1', date: new Date() }])));
  const file = join(data, 'sources.json');
  writeFileSync(
    file,
    JSON.stringify({ interval_seconds: 15, sources: [{ name: 'Desk One', url: publisher.url('/one') }] }),
  );
  const wire = await restart({ news: file });
  // The first poll comes within five seconds. Asking every 10 ms would use up the allowance.
  const isShown = async (): Promise<boolean> => (await wire.titles()).includes(title);
  await eventually('the polled item', async () => (await isShown()) || Bun.sleep(100).then(() => false), 15_000);
  const polled = await wire.shows(title);
  expect(polled).toMatchObject({ source: 'Desk One', account: null });
  const forged = { id: 'one-1', title: 'Gold crashes to a record low as the dollar soars' };
  const names = ['Desk One', ' desk  one ', 'DESK ONE', 'Desk\u200b One', '\uff24esk One', SIM_SOURCE];
  const { accepted, rejected } = await wire.send(...names.map((source) => ({ ...forged, source })));
  expect([accepted, rejected.map(({ code }) => code)]).toEqual([0, names.map(() => 'reserved_source')]);
  expect(rejected[0]!.detail).toBe('source Desk One is the name of a configured source; use another name');
  await wire.send({ ...forged, source: 'Our desk' });
  const { id, name } = { id: wire.issued.account.publicId, name: wire.issued.account.name };
  expect(await wire.shows(forged.title)).toMatchObject({ source: 'Our desk', account: { id, name }, revision: 0 });
  expect(await wire.shows(title)).toEqual(polled);
});

describe('after a restart', () => {
  test('the items of the previous run are known: a repeat is ignored, a change is a revision', async () => {
    let wire = await restart({ feeds: 'push' });
    const time = Date.now() - 60_000;
    // Two items of the same time.
    await wire.send({ title: 'Gold climbs on haven demand', id: '1', time });
    await wire.shows('Gold climbs on haven demand');
    await wire.send(
      { title: 'Bitcoin slides below support', id: '2', time },
      { title: 'Euro steadies before the ECB', id: '3', time: time + 1 },
    );
    await wire.shows('Euro steadies before the ECB');
    const before = await wire.items();
    expect(before).toHaveLength(3);
    const { issued } = wire;

    await restart({ feeds: 'push' });
    // Only the account that pushed an item can revise it.
    wire = new TestWire(service!, issued);
    expect(await wire.items()).toEqual(before);
    const again = { id: '1', time };
    await wire.send({ ...again, title: 'Gold climbs on haven demand' });
    await wire.send({ ...again, title: 'Gold climbs 2% on haven demand' });
    expect(await wire.shows('Gold climbs 2% on haven demand')).toMatchObject({
      id: before.find(({ title }) => title.startsWith('Gold'))!.id,
      revision: 1,
    });
    expect(await wire.items()).toHaveLength(3);
  });

  test('simulated headlines continue with those of the downtime, each once', async () => {
    let wire = await restart({ news: 'sim' });
    await eventually('headlines', async () => (await wire.items()).length > 20, 20_000);
    const before = await wire.items();
    for (const { source } of before) expect(source).toBe(SIM_SOURCE);
    wire = await restart({ news: 'sim' });
    // Newer ones displace them from the feed, but not from the archive.
    for (const { id, title } of before)
      expect(await (await wire.get(`/api/news/${id}`)).json()).toMatchObject({ id, title });
    await eventually('newer headlines', async () => (await wire.items())[0]!.id !== before[0]!.id, 20_000);
    const after = await wire.items();
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
  });

  test('simulated headlines never appear among real ones', async () => {
    let wire = await restart({ news: 'sim' });
    await eventually('headlines', async () => (await wire.items()).length > 0, 20_000);
    wire = await restart({ news: 'none' });
    expect(await wire.items()).toEqual([]);
    await wire.send({ title: 'Gold climbs on haven demand' });
    await wire.shows('Gold climbs on haven demand');
    wire = await restart({ news: 'sim' });
    const isSimulated = ({ source }: { source: string }): boolean => source === SIM_SOURCE;
    await eventually('headlines', async () => (await wire.items()).some(isSimulated), 20_000);
    expect(await wire.titles()).toContain('Gold climbs on haven demand');
    wire = await restart({ news: 'none' });
    expect(await wire.titles()).toEqual(['Gold climbs on haven demand']);
  });
});

describe('moves are measured', () => {
  /** The number of measured moves with these settings, and the items they belong to. */
  async function measured(flags: Record<string, string>): Promise<{ moves: number; after: string[] }> {
    const config = loadConfig({ flags: { ...flags, data }, env: {}, cwd: data });
    const store = openSqliteStore({ folder: data, realm: config.realm, exclusive: true });
    const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
    const models = new Models({ local: IDLE_SCORER, llm: null });
    const symbol = asSymbol('XAUUSD');
    const bars = Array.from({ length: 300 }, (_, minute) =>
      bar({ symbol, time: asEpochMs(MONDAY + minute * MINUTE_MS) }),
    );
    await store.market.write({ bars, prices: [], barsUntil: MONDAY + 300 * MINUTE_MS });
    await store.news.put([
      news('real', 10, { category: 'gold', source: 'a wire', model: 'real' }),
      news('sim', 10, { category: 'gold', source: SIM_SOURCE, model: 'sim' }),
    ]);
    const now = (): number => MONDAY + 300 * MINUTE_MS;
    const opened = await openNews({ config, instruments: CATALOGUE, store, journal, models, now, log: silentLog });
    await opened.measure(now());
    await opened.measure(now());
    const { rows } = await store.news.calibration();
    // Measured moves remain when old items are deleted.
    expect(await opened.prune(now() + 90 * DAY_MS)).toBe(2);
    expect((await store.news.calibration()).rows).toEqual(rows);
    await opened.stop();
    await store.close();
    const moves = rows.reduce((sum, { items }) => sum + items, 0);
    return { moves, after: [...new Set(rows.map(({ model }) => model))] };
  }

  test('for real news on real prices, once per horizon', async () => {
    expect(await measured({ feeds: 'push', news: 'feeds' })).toEqual({ moves: 3, after: ['real'] });
  });

  test('for simulated headlines on simulated prices', async () => {
    expect(await measured({ news: 'sim' })).toEqual({ moves: 3, after: ['sim'] });
  });

  test('never for real news on simulated prices', async () => {
    expect(await measured({ news: 'none' })).toEqual({ moves: 0, after: [] });
  });
});
