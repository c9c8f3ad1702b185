import { afterAll, afterEach, beforeAll, beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { UsageError } from './arguments.ts';
import { keys } from './keys.ts';
import { requestOfLog } from './log-request.ts';
import { signals } from './signals.ts';

let service: RunningService;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService();
  publisher = await TestPublisher.of(service);
});
afterAll(() => service.stop());

let said: Mock<typeof process.stdout.write>;
beforeEach(() => {
  said = spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => said.mockRestore());
const text = (): string => said.mock.calls.map(([each]) => String(each)).join('');

test('void voids a signal of the running service, once, with a public reason', async () => {
  const { id } = await publisher.published(await atMarket(publisher));
  const args = ['void', id, '--reason', 'a bad tick at noon', '--data', service.folder];
  expect(await signals(args)).toBe(0);
  expect(text()).toBe(`Signal ${id} is void.\n`);
  expect(await publisher.detail(id)).toMatchObject({ close_reason: 'voided', voided_reason: 'a bad tick at noon' });
  await expect(signals(args)).rejects.toThrow(StoreError);
  const [entry] = await service.app.store.access.auditLog({ action: 'signal voided', limit: 1 });
  expect(entry).toMatchObject({ actor: 'command line', account: publisher.id, subject: `${id}: a bad tick at noon` });
});

test('void rejects an unknown signal, and a call without an id or a reason', async () => {
  const data = ['--data', service.folder];
  await expect(signals(['void', 'sig_none', '--reason', 'x', ...data])).rejects.toThrow(
    'There is no signal "sig_none"',
  );
  for (const args of [
    ['void'],
    ['void', 'sig_1'],
    ['void', 'sig_1', 'sig_2', '--reason', 'x'],
    ['void', 'a', '--reason', ' '],
  ])
    await expect(signals([...args, ...data])).rejects.toThrow(UsageError);
});

test('keys sign-with registers and removes a signing key', async () => {
  const key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const data = ['--data', service.folder];
  const { signals: store } = service.app.store;
  expect(await keys(['sign-with', publisher.name, key, ...data])).toBe(0);
  expect(text()).toContain('must be signed with this key from now on');
  expect(await store.signingKeys()).toMatchObject([{ publisher: publisher.id, publicKey: key }]);
  expect((await publisher.publish(await atMarket(publisher))).status).toBe(403);
  expect(await keys(['sign-with', publisher.name, '--remove', ...data])).toBe(0);
  expect((await publisher.publish(await atMarket(publisher))).status).toBe(201);
  for (const args of [
    ['sign-with'],
    ['sign-with', publisher.name],
    ['sign-with', publisher.name, 'abc'],
    ['sign-with', publisher.name, key, '--remove'],
  ])
    await expect(keys([...args, ...data])).rejects.toThrow(UsageError);
});

test('a request without a running service waits for the next start', async () => {
  const data = temporaryFolder();
  const { access, close } = openSqliteAccessStore(data);
  const { publicId } = await access.createAccount('Ada', 'free', 1);
  const request = { kind: 'signing key', publisher: publicId, public_key: 'a1'.repeat(32) } as const;
  expect(await requestOfLog(access, 'sim', request, 200)).toBe(false);
  close();
  const started = await startService({ data });
  for (let tries = 0; tries < 1_200 && (await started.app.store.signals.signingKeys()).length === 0; tries++)
    await Bun.sleep(50);
  expect(await started.app.store.signals.signingKeys()).toMatchObject([{ publisher: publicId }]);
  await started.stop();
  rmSync(data, { recursive: true, force: true });
});
