import { afterAll, expect, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { runHere } from '../../testing/command.fixture.ts';
import { Person } from '../../testing/person.fixture.ts';
import { type Ran, runTickwire } from '../../testing/process.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { enableTwoFactor } from '../../testing/two-factor.fixture.ts';
import { AccessError } from '../access/access-error.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { accounts as accountsHere } from './accounts.ts';
import { UsageError } from './arguments.ts';

const data = temporaryFolder();
const accounts = (...args: string[]): Promise<Ran> => runHere(['accounts', ...args], { data });
const named = async (name: string) => {
  const { access, close } = openSqliteAccessStore(data);
  const found = (await access.accounts()).find((account) => account.name === name);
  close();
  return found;
};

afterAll(() => rmSync(data, { recursive: true, force: true }));

test('lists accounts, sets a tier, and renames to a name that was never used', async () => {
  for (const name of ['Ada', 'Bob']) await runHere(['keys', 'create', '--name', name], { data });
  const { out } = await accounts('list');
  expect(out).toMatch(/^NUMBER {2}NAME {2}TIER\n1 {7}Ada {3}free\n2 {7}Bob {3}free\n$/);
  const json = (await accounts('list', '--json')).out.trim().split('\n');
  expect(JSON.parse(json[0]!)).toMatchObject({ id: 1, name: 'Ada', tier: 'free' });

  expect(await accounts('set-tier', 'ada', 'pro')).toEqual({
    status: 0,
    out: 'Ada is now in the tier pro.\n',
    err: '',
  });
  expect(await accounts('rename', '1', 'Grace')).toEqual({ status: 0, out: 'Ada is now called Grace.\n', err: '' });
  expect(await named('Grace')).toMatchObject({ id: 1, tier: 'pro' });

  const taken = await accounts('rename', 'Bob', 'ADA');
  expect(taken).toEqual({ status: 1, out: '', err: 'tickwire: the name "ADA" is or was in use by another account\n' });
  expect(await named('Bob')).toMatchObject({ id: 2 });

  const { access, close } = openSqliteAccessStore(data);
  const actions = (await access.auditLog({ limit: 10 })).map(({ action, subject }) => `${action}: ${subject}`);
  close();
  expect(actions.slice(0, 2)).toEqual(['account renamed: Ada to Grace', 'tier set: Ada to pro']);
});

test('resets a lost password, shows it only once, and signs the account out while the service runs', async () => {
  const service = await startService({ feeds: 'push', trusted_proxies: '127.0.0.1' });
  const owner = await Person.owner(service, 'Forgetful');
  const stream = await owner.stream();
  const ran = await runTickwire(['accounts', 'reset-password', 'forgetful'], { data: service.folder });
  expect([ran.status, ran.err]).toEqual([0, '']);
  const password = /^New password for Forgetful, shown only once:\n\n {2}(\S+)\n$/.exec(ran.out)![1]!;
  expect(password).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
  expect((await stream.closed).code).toBe(4401);
  expect((await owner.get('/api/account')).status).toBe(401);
  const back = new Person(service);
  expect([(await back.signIn('Forgetful')).status, (await back.signIn('Forgetful', password)).status]).toEqual([
    401, 200,
  ]);
  expect((await service.app.store.access.auditLog({ action: 'password reset', limit: 1 }))[0]).toMatchObject({
    action: 'password reset',
    subject: 'Forgetful',
  });
  await service.stop();
});

test('an account that was created for a key can get a password and sign in', async () => {
  const service = await startService({ feeds: 'push' });
  const { account } = await service.key();
  const said = spyOn(process.stdout, 'write').mockImplementation(() => true);
  expect(await accountsHere(['reset-password', String(account.id), '--data', service.folder])).toBe(0);
  const password = String(said.mock.calls[0]![0]).trim().split('\n').at(-1)!.trim();
  said.mockRestore();
  await service.app.keyring.refresh();
  expect((await new Person(service).signIn(account.name, password)).status).toBe(200);
  await service.stop();
});

test('a password reset says how many keys stay valid, and revokes them on request', async () => {
  const service = await startService({ feeds: 'push' });
  const { account, key } = await service.key();
  const said = spyOn(process.stdout, 'write').mockImplementation(() => true);
  const reset = async (...flags: string[]): Promise<string> => {
    said.mockClear();
    expect(await accountsHere(['reset-password', String(account.id), ...flags, '--data', service.folder])).toBe(0);
    await service.app.keyring.refresh();
    return said.mock.calls.map(([text]) => String(text)).join('');
  };
  const status = async (): Promise<number> =>
    (await fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key } })).status;
  try {
    expect(await reset()).toContain('1 API key of the account stays valid. If someone else may have a key');
    expect(await status()).toBe(200);
    expect(await reset('--revoke-keys')).toContain('1 API key revoked.');
    expect(await status()).toBe(401);
    expect(await reset()).not.toContain('API key');
  } finally {
    said.mockRestore();
    await service.stop();
  }
});

test('resets two-factor sign-in, once', async () => {
  const service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
  await enableTwoFactor(await Person.signedUp(service, 'Phoneless'));
  expect((await new Person(service).signIn('Phoneless')).status).toBe(401);
  const args = ['accounts', 'reset-two-factor', 'phoneless'];
  expect(await runTickwire(args, { data: service.folder })).toEqual({
    status: 0,
    out: 'Phoneless signs in without a code now.\n',
    err: '',
  });
  expect((await new Person(service).signIn('Phoneless')).status).toBe(200);
  expect(await runHere(args, { data: service.folder })).toMatchObject({ status: 1, out: '' });
  const [entry] = await service.app.store.access.auditLog({ action: 'two-factor reset', limit: 1 });
  expect(entry).toMatchObject({ actor: 'command line', subject: 'Phoneless' });
  await service.stop();
});

test('invalid arguments give a one-line error', async () => {
  const cases: [string[], number, string][] = [
    [['set-tier', 'Grace', 'gold'], 2, 'unknown tier gold; available tiers: free, pro, premium'],
    [['set-tier', 'Nobody', 'pro'], 1, 'there is no account Nobody'],
    [['rename', 'Grace', '<b>'], 1, 'use 1 to 48 letters'],
    [['rename', 'Grace'], 2, 'usage: tickwire accounts'],
    [['list', 'surplus'], 2, 'usage: tickwire accounts'],
    [[], 2, 'usage: tickwire accounts'],
    [['burn', 'Grace', 'pro'], 2, 'usage: tickwire accounts'],
    [['reset-password'], 2, 'usage: tickwire accounts'],
    [['reset-password', 'Grace', 'my-own-choice'], 2, 'usage: tickwire accounts'],
    [['reset-password', 'Nobody'], 1, 'there is no account Nobody'],
  ];
  for (const [args, status, says] of cases) {
    const error = await accountsHere([...args, '--data', data]).catch((thrown: Error) => thrown);
    expect({ args, error }).toEqual({ args, error: expect.any(status === 2 ? UsageError : AccessError) });
    expect((error as Error).message).toContain(says);
  }
});
