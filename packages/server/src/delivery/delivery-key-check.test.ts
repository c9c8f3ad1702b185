import { afterAll, expect, test } from 'bun:test';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { deliveryKeyProblem, prepareDeliveryKey } from './delivery-key-check.ts';
import { UnsubscribeLinks } from './unsubscribe-links.ts';

const folders: string[] = [];
const node = (role: 'all' | 'ingest' | 'gateway') => {
  const data = temporaryFolder();
  folders.push(data);
  return { data, delivery_key: role === 'all' ? null : join(data, 'delivery.key'), role };
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function realm() {
  const numbers = new Map<string, number>();
  return {
    number: async (name: string) => numbers.get(name),
    setNumber: async (name: string, value: number) => void numbers.set(name, value),
  };
}

test('the first writer creates the key, and a node without it or with another one says so', async () => {
  const [store, first, second] = [realm(), node('ingest'), node('ingest')];
  expect(await deliveryKeyProblem(store, first)).toBeNull();
  await prepareDeliveryKey(store, first, silentLog);
  expect(await deliveryKeyProblem(store, first)).toBeNull();
  await prepareDeliveryKey(store, first, silentLog);
  expect(await deliveryKeyProblem(store, second)).toContain('there is no key of destinations at');
  expect(prepareDeliveryKey(store, second, silentLog)).rejects.toThrow('there is no key of destinations at');
  expect(existsSync(join(second.data, 'delivery.key'))).toBe(false);
  await prepareDeliveryKey(realm(), second, silentLog);
  expect(await deliveryKeyProblem(store, second)).toContain('is not the key that destinations are encrypted with');
  renameSync(join(first.data, 'delivery.key'), join(second.data, 'delivery.key'));
  expect(await deliveryKeyProblem(store, second)).toBeNull();
});

test('a cluster without a shared key has none, and its nodes start', async () => {
  const [store, first, second] = [
    realm(),
    ...[node('ingest'), node('ingest')].map((it) => ({ ...it, delivery_key: null })),
  ];
  for (const settings of [first!, second!]) {
    await prepareDeliveryKey(store, settings, silentLog);
    expect(await deliveryKeyProblem(store, settings)).toBeNull();
    expect(existsSync(join(settings.data, 'delivery.key'))).toBe(false);
  }
});

test('a single process that lost its key reports it and goes on with a new one', async () => {
  const [store, settings] = [realm(), node('all')];
  await prepareDeliveryKey(store, settings, silentLog);
  rmSync(join(settings.data, 'delivery.key'));
  const reported: unknown[] = [];
  await prepareDeliveryKey(store, settings, { ...silentLog, error: (message) => void reported.push(message) });
  expect(reported).toEqual(['destinations that exist cannot be used: create them again']);
  expect(await deliveryKeyProblem(store, settings)).toBeNull();
});

test('reading a link to unsubscribe creates no key', () => {
  const settings = { ...node('all'), public_url: 'https://tick.example' };
  const links = new UnsubscribeLinks(settings);
  expect(links.destinationOf(`dst_1.${'A'.repeat(22)}`)).toBeNull();
  expect(existsSync(join(settings.data, 'delivery.key'))).toBe(false);
});
