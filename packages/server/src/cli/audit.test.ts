import { afterAll, afterEach, beforeAll, beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { AccessError } from '../access/access-error.ts';
import type { Account } from '../store/account-store.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { UsageError } from './arguments.ts';
import { audit } from './audit.ts';

const data = temporaryFolder();
let ada: Account;
beforeAll(async () => {
  const { access, close } = openSqliteAccessStore(data);
  ada = await access.createAccount('Ada', 'free', 1);
  const at = (day: number): number => Date.UTC(2026, 2, day);
  const actor = ada.publicId;
  const address = '192.0.2.1';
  await access.audit({ at: at(1), actor: 'command line', action: 'key created', subject: 'k1', account: actor });
  await access.audit({ at: at(2), actor, action: 'signed in', subject: 'ses_1', account: actor, address });
  await access.audit({ at: at(3), actor: 'command line', action: 'backup made', subject: 'copy' });
  close();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

let said: Mock<typeof process.stdout.write>;
beforeEach(() => {
  said = spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => said.mockRestore());
const run = async (...args: string[]): Promise<string> => {
  said.mockClear();
  expect(await audit([...args, '--data', data])).toBe(0);
  return said.mock.calls.map(([text]) => String(text)).join('');
};
const subjects = async (...args: string[]): Promise<string[]> =>
  (await run('--json', ...args))
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { subject: string }).subject);

test('shows the entries with actor and address, newest first', async () => {
  const [head, first, second] = (await run()).split('\n');
  expect(head).toMatch(/^ID +TIME +ACTOR +ACTION +SUBJECT +ADDRESS$/);
  expect(first).toMatch(/^3 +2026-03-03T00:00:00.000Z +command line +backup made +copy +-$/);
  expect(second).toMatch(/^2 +2026-03-02T00:00:00.000Z +pub_\w+ +signed in +ses_1 +192\.0\.2\.1$/);
});

test('has the filters of the endpoint', async () => {
  expect(await subjects('--account', 'ada')).toEqual(['ses_1', 'k1']);
  expect(await subjects('--account', ada.publicId, '--action', 'signed in')).toEqual(['ses_1']);
  expect(await subjects('--from', '2026-03-02')).toEqual(['copy', 'ses_1']);
  expect(await subjects('--to', '2026-03-02T00:00Z')).toEqual(['k1']);
  expect(await subjects('--before', '3', '--limit', '1')).toEqual(['ses_1']);
});

test('rejects invalid values with a one-line error', async () => {
  const refused = (...args: string[]) => audit([...args, '--data', data]).catch((error: Error) => error);
  expect(await refused('--action', 'danced')).toEqual(expect.any(UsageError));
  expect(((await refused('--from', 'yesterday')) as Error).message).toBe(
    '--from is "yesterday", but must be an ISO 8601 time, date (2026-01-05 or 20260105) or month (2026-01), or Unix time in seconds or milliseconds',
  );
  expect(await refused('--account', 'Nobody')).toEqual(expect.any(AccessError));
});
