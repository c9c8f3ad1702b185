// The computed past of simulated markets at the gateways of a cluster, which read its settings from the database.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BarsPage, Coverage } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';

describe.skipIf(!canRunCluster)('the gateways of a cluster', () => {
  let cluster: SmallCluster;
  let people: Person[];
  beforeAll(async () => {
    cluster = await SmallCluster.start({ house: 'none', registration: 'open', sim_rate: '20' }, 2);
    people = cluster.gateways.map((gateway) => new Person(gateway));
    await Promise.all(
      people.map((person, at) =>
        person.must(201, person.post('/api/account/sign-up', { name: `Ada${at}`, password: PASSWORD })),
      ),
    );
  });
  afterAll(() => cluster.end());

  /** The same from every gateway. */
  async function read<T>(path: string): Promise<T> {
    const [first, ...others] = await Promise.all(people.map((person) => person.read<T>(path)));
    for (const other of others) expect(other).toEqual(first!);
    return first!;
  }

  // Before the first stored bar, and among the days that a new store begins with.
  test.each([Date.UTC(2021, 2, 4), Math.floor(Date.now() / DAY_MS - 200) * DAY_MS])(
    'serve the same past, in which bars of all intervals agree (%p)',
    async (day) => {
      const range = `from=${day}&to=${day + DAY_MS}`;
      const bars = async (interval: string): Promise<BarsPage['items']> =>
        (await read<BarsPage>(`/api/bars/EURUSD?interval=${interval}&${range}&limit=2000`)).items;
      const [whole] = await bars('1d');
      const minutes = await bars('1m');
      expect(minutes).toHaveLength(1440);
      for (const parts of [minutes, await bars('1h'), await bars('45m')])
        expect(whole).toEqual({
          time: new Date(day).toISOString(),
          open: parts[0]!.open,
          high: Math.max(...parts.map(({ high }) => high)),
          low: Math.min(...parts.map(({ low }) => low)),
          close: parts.at(-1)!.close,
          volume: expect.closeTo(
            parts.reduce((sum, { volume }) => sum + volume, 0),
            5,
          ),
        });
      expect(await read<Coverage>(`/api/market/EURUSD/coverage?timeframe=1m&${range}`)).toMatchObject({
        bars: 1440,
        absent: [],
      });
    },
  );
});
