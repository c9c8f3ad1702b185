import { expect, test } from 'bun:test';
import { fakeService, until } from '../testing/fake-service.ts';
import { startPublishers } from './start-publishers.ts';

test('runs every strategy with its own key and the given fetch until it is stopped', async () => {
  await using service = fakeService({ now: Date.now });
  let fetched = 0;
  const failures: unknown[] = [];
  const publishers = startPublishers({
    url: service.url,
    publishers: [
      { strategy: 'breakout', key: 'b' },
      { strategy: 'mean_reversion', key: 'm' },
      { strategy: 'trend', key: 't' },
    ],
    onError: (failure) => failures.push(failure),
    fetch: (url, init) => {
      fetched++;
      return fetch(url, init);
    },
  });
  const requestsOf = (key: string): number => service.requests.filter((each) => each.key === key).length;
  // A publication counts once its response has arrived.
  const published = (): number => publishers.counts().breakout?.published ?? 0;
  await until(() => published() > 0 && requestsOf('m') > 3 && requestsOf('t') > 3, 'all three');
  await publishers.stop();
  expect(fetched).toBeGreaterThanOrEqual(service.requests.length);
  expect(Object.keys(publishers.counts())).toEqual(['breakout', 'mean_reversion', 'trend']);
  expect(published()).toBeGreaterThan(0);
  expect(failures).toEqual([]);
  const before = service.requests.length;
  await Bun.sleep(50);
  expect(service.requests).toHaveLength(before);
});

test('does nothing without publishers', async () => {
  const publishers = startPublishers({ url: 'http://127.0.0.1:1', publishers: [], onError: () => {} });
  expect(publishers.counts()).toEqual({});
  await publishers.stop();
});
