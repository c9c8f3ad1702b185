import { afterAll, beforeAll, expect, jest, test } from 'bun:test';
import { type MarketsReport, TickwireError } from '@tickwire/client';
import { changeMarkets } from './change-markets.tsx';

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

const RUNNING: MarketsReport = { markets: 'simulated', changing_to: null, fixed: null, failure: null };
const problem = (code: 'network' | 'markets_fixed', status: number) =>
  new TickwireError({ status, code, detail: code });

/** A service that answers each request for its markets with the next of these. */
function serviceWith(...answers: (Partial<MarketsReport> | Error)[]) {
  const asked: unknown[] = [];
  const admin = {
    changeMarkets: async (change: unknown) => {
      asked.push(change);
      return RUNNING;
    },
    markets: async () => {
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      if (answer instanceof Error) throw answer;
      return { ...RUNNING, ...answer };
    },
  };
  return { asked, service: { admin } };
}
async function outcome(change: Promise<string | null>): Promise<unknown> {
  let ended = false;
  const settled = change.catch((error) => error).finally(() => (ended = true));
  while (!ended) {
    jest.advanceTimersByTime(400);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
  return settled;
}

test('waits while the service stops and starts, and until it runs with the other markets', async () => {
  const { asked, service } = serviceWith({ changing_to: 'live' }, problem('network', 0), { markets: 'live' });
  expect(await outcome(changeMarkets(service, 'live'))).toBeNull();
  expect(asked).toEqual([{ markets: 'live' }]);
});

test('tells why the service runs with the markets from before', async () => {
  const { service } = serviceWith({ changing_to: 'live' }, { failure: 'The store is damaged.' });
  expect(await outcome(changeMarkets(service, 'live'))).toBe('The store is damaged.');
});

test('an outage that does not end is reported, and any other error at once', async () => {
  expect(await outcome(changeMarkets(serviceWith(problem('network', 0)).service, 'live'))).toMatchObject({
    code: 'network',
  });
  expect(await outcome(changeMarkets(serviceWith(problem('markets_fixed', 409)).service, 'live'))).toMatchObject({
    code: 'markets_fixed',
  });
});
