import { expect, test } from 'bun:test';
import { ServiceStatus } from './service-status.ts';

const info = (simulated: boolean) => ({ status: 200, simulated, allowance: null, position: null });

test('a stream tells that the service runs other markets than before', () => {
  const status = new ServiceStatus();
  status.recordSource(true);
  expect([status.simulated.value, status.marketsChanged.value]).toEqual([true, false]);
  status.recordSource(true);
  expect(status.marketsChanged.value).toBe(false);
  status.recordSource(false);
  expect([status.simulated.value, status.marketsChanged.value]).toEqual([false, true]);
});

test('the first response tells that markets are simulated, and no later one that they have changed', () => {
  const simulated = new ServiceStatus();
  simulated.recordResponse(info(true));
  // Of a proxy, while the service is away.
  simulated.recordResponse(info(false));
  expect([simulated.simulated.value, simulated.marketsChanged.value]).toEqual([true, false]);

  const live = new ServiceStatus();
  live.recordSource(false);
  // Kept by the browser since markets were simulated.
  live.recordResponse(info(true));
  expect([live.simulated.value, live.marketsChanged.value]).toEqual([false, false]);
});
