import { expect, test } from 'bun:test';
import { fakeDesk, until } from './fake-desk.fixture.ts';
import { startHouse } from './house.ts';

test('every strategy publishes with its own key, through the fetch it was given, until the house stops', async () => {
  await using desk = fakeDesk({ now: Date.now });
  let fetched = 0;
  const troubles: unknown[] = [];
  const house = startHouse({
    url: desk.url,
    publishers: [
      { strategy: 'breakout', key: 'b' },
      { strategy: 'mean_reversion', key: 'm' },
      { strategy: 'trend', key: 't' },
    ],
    onTrouble: (trouble) => troubles.push(trouble),
    fetch: (url, init) => {
      fetched++;
      return fetch(url, init);
    },
  });
  const asked = (key: string): number => desk.heard.filter((each) => each.key === key).length;
  // A publication counts once its answer has come.
  const published = (): number => house.counts().breakout?.published ?? 0;
  await until(() => published() > 0 && asked('m') > 3 && asked('t') > 3, 'all three');
  await house.stop();
  expect(fetched).toBeGreaterThanOrEqual(desk.heard.length);
  expect(Object.keys(house.counts())).toEqual(['breakout', 'mean_reversion', 'trend']);
  expect(published()).toBeGreaterThan(0);
  expect(troubles).toEqual([]);
  const before = desk.heard.length;
  await Bun.sleep(50);
  expect(desk.heard).toHaveLength(before);
});

test('a house without publishers does nothing', async () => {
  const house = startHouse({ url: 'http://127.0.0.1:1', publishers: [], onTrouble: () => {} });
  expect(house.counts()).toEqual({});
  await house.stop();
});
