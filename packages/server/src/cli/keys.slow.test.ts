import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { preparedFolder } from '../../testing/prepared-folder.fixture.ts';
import { eventually, killLeftovers, type Ran, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { TestStream } from '../../testing/stream.fixture.ts';
import { AccessError } from '../access/access-error.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { UsageError } from './arguments.ts';
import { keys } from './keys.ts';

let data: string;
let service: ServiceProcess;
const tickwire = (...args: string[]): Promise<Ran> => runHere(args, { data });

interface Issued {
  readonly id: string;
  readonly key: string;
  readonly tier: string;
  readonly scopes: string[];
  readonly account: string;
  readonly expires_at?: string;
  readonly hook?: string;
}
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);
async function create(...args: string[]): Promise<Issued> {
  const { status, out } = await tickwire('keys', 'create', '--json', ...args);
  expect(status).toBe(0);
  return JSON.parse(out) as Issued;
}
const works = async (key: string): Promise<boolean> => (await service.get('/api/session', key)).status === 200;

beforeAll(async () => {
  ({ data } = await preparedFolder());
  // Polling with a key until it is valid must not exhaust the limit of invalid keys.
  service = await ServiceProcess.start({ data, news: 'none', failed_keys_per_minute: '100000' });
});
afterAll(async () => {
  await service.stop();
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

describe('keys create, while the service runs', () => {
  test('returns when the service accepts the key', async () => {
    for (let count = 0; count < 5; count++) expect(await works((await create()).key)).toBe(true);
    const { id } = await create();
    const { out } = await tickwire('keys', 'rotate', id, '--json');
    expect(await works((JSON.parse(out) as Issued).key)).toBe(true);
  });

  test('prints one JSON line, and the key is valid within a second', async () => {
    const { status, out, err } = await tickwire(
      ...['keys', 'create', '--tier', 'premium', '--scope', 'read,publish,ingest', '--name', 'desk', '--json'],
    );
    expect([status, err, linesOf(out).length]).toEqual([0, '', 1]);
    const issued = JSON.parse(out) as Issued;
    expect(issued).toMatchObject({ tier: 'premium', scopes: ['read', 'publish', 'ingest'] });
    expect(issued.key).toStartWith(`tw_${issued.id}_`);
    await eventually('the key is good', () => works(issued.key), 1_000);
    const usage = await service.get('/api/usage', issued.key);
    expect(usage.headers.get('x-ratelimit-limit')).toBe('300');
  });

  test('--count prints that many keys, each with its own account', async () => {
    const { out } = await tickwire('keys', 'create', '--count', '25', '--name', 'crowd', '--json');
    const issued = linesOf(out).map((line) => JSON.parse(line) as Issued);
    expect(issued).toHaveLength(25);
    expect(new Set(issued.map(({ key }) => key)).size).toBe(25);
    expect(new Set(issued.map(({ account }) => account)).size).toBe(25);
    expect(issued.every(({ tier, scopes }) => tier === 'free' && scopes.join() === 'read')).toBe(true);
    await eventually('all are good', async () =>
      (await Promise.all(issued.map(({ key }) => works(key)))).every(Boolean),
    );
  });

  test('two commands can run in parallel', async () => {
    const both = await Promise.all(
      [1, 2].map(() => runTickwire(['keys', 'create', '--count', '20', '--name', 'twin', '--json'], { data })),
    );
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    const ids = both.flatMap(({ out }) => linesOf(out).map((line) => (JSON.parse(line) as Issued).account));
    expect(new Set(ids).size).toBe(40);
  });

  test('--account adds a key to an account, which shares its allowance', async () => {
    const first = await create('--tier', 'free', '--name', 'common');
    const second = await create('--account', first.account, '--name', 'second');
    expect([second.account, second.tier]).toEqual([first.account, 'free']);
    await eventually('both are good', async () => (await works(first.key)) && (await works(second.key)));
    const left = async (key: string) =>
      Number((await service.get('/api/usage', key)).headers.get('x-ratelimit-remaining'));
    const before = await left(first.key);
    expect(await left(second.key)).toBe(before - 1);
  });

  test('--expires sets the expiry', async () => {
    const { expires_at } = await create('--expires', '30');
    expect((Date.parse(expires_at!) - Date.now()) / DAY_MS).toBeCloseTo(30, 2);
  });

  test('prints the key and says that it is shown only once', async () => {
    const { out } = await tickwire('keys', 'create');
    expect(out).toMatch(
      /^tw_[0-9a-z]{10}_[0-9a-z]{38}\n {2}tier free, scopes read, account key.* shown only once\.\n$/,
    );
  });
});

describe('keys create --scope hook', () => {
  test('prints the webhook URL for TradingView, and a rotation prints the new one', async () => {
    const { out } = await tickwire('keys', 'create', '--scope', 'hook', '--name', 'alerts');
    const [key, about, address] = linesOf(out) as [string, string, string];
    expect(about).toContain('scopes hook');
    expect(address).toBe(`  Webhook URL for TradingView (also a secret): https://YOUR-HOST/hooks/tradingview/${key}`);
    const rotated = await tickwire('keys', 'rotate', key.split('_')[1]!);
    const [next] = linesOf(rotated.out);
    expect(next).not.toBe(key);
    expect(rotated.out).toContain(`https://YOUR-HOST/hooks/tradingview/${next}\n`);
  });

  test('--json includes the path, and the service accepts alerts there', async () => {
    const { key, hook } = await create('--scope', 'hook');
    expect(hook).toBe(`/hooks/tradingview/${key}`);
    const alert = async (): Promise<number> => (await fetch(service.url + hook, { method: 'POST', body: '{}' })).status;
    // The alert is empty, but the key is valid.
    await eventually('the key is good', async () => (await alert()) === 400);
    expect((await service.get('/api/session', key)).status).toBe(403);
  });

  test('a key with another scope has no webhook URL', async () => {
    expect(await create('--scope', 'read,publish')).not.toHaveProperty('hook');
    expect((await tickwire('keys', 'create')).out).not.toContain('/hooks/');
  });
});

const WRONG: [string[], number, string][] = [
  [['create', '--scope', 'read', '--scope', 'publish'], 2, '--scope is given twice; separate several values by commas'],
  [['create', '--tier', 'gold'], 2, 'unknown tier gold; available tiers: free, pro, premium'],
  [
    ['create', '--scope', 'read,root'],
    1,
    'unknown scope root; available scopes: read, alerts, publish, ingest, admin, hook',
  ],
  [['create', '--scope', ''], 1, 'scope'],
  [['create', '--count', '0'], 2, '--count is "0", but must be an integer from 1'],
  [['create', '--count', 'many'], 2, '--count is "many"'],
  [['create', '--expires', '-1'], 2, '--expires'],
  [['create', '--expires', ''], 2, '--expires is ""'],
  [['create', '--name', 'tab\tname'], 1, 'use 1 to 48 letters'],
  [['create', '--name', ''], 1, 'use 1 to 48 letters'],
  [['create', '--account', 'nobody-there'], 1, 'there is no account nobody-there'],
  [['create', '--account', 'demo', '--tier', 'pro'], 2, 'not both'],
  [['create', '--nonsense'], 2, '--nonsense'],
  [['create', 'surplus'], 2, 'usage: tickwire keys create'],
  [['list', 'surplus'], 2, 'usage: tickwire keys list'],
  [['revoke'], 2, 'usage: tickwire keys revoke ID'],
  [['revoke', 'nosuchkey'], 1, 'there is no key with the id nosuchkey'],
  [['rotate', 'nosuchkey'], 1, 'there is no key with the id nosuchkey'],
  [['create', '--tier', 'constructor'], 2, 'unknown tier constructor'],
];

describe('keys create --path, while the service runs', () => {
  const PATH = '/api/bars/EUR_USD?interval=1d&limit=2&format=csv';

  test('prints the address of a data link, which reads the path', async () => {
    const { out } = await tickwire('keys', 'create', '--path', PATH, '--expires', '7');
    const [address = '', about = ''] = linesOf(out);
    expect(about).toContain(`reads ${PATH} for account link`);
    const response = await fetch(address.replace('https://YOUR-HOST', service.url));
    expect((await response.text()).split('\n')[0]).toContain('time,open,high,low,close,volume');
    const [, id = ''] = /tw_([^_]*)_/.exec(address)!;
    const rotated = linesOf((await tickwire('keys', 'rotate', id, '--overlap', '0')).out);
    expect(rotated[0]).toStartWith('https://YOUR-HOST/link/tw_');
    expect((await fetch(address.replace('https://YOUR-HOST', service.url))).status).toBe(401);
  });

  test('--json has the path of the address; a link expires', async () => {
    const { out } = await tickwire('keys', 'create', '--path', '/udf', '--json');
    const made = JSON.parse(out) as { link: string; path: string; expires_at: string };
    expect(made).toMatchObject({ path: '/udf', link: expect.stringMatching(/^\/link\/tw_/) });
    expect(Math.round((Date.parse(made.expires_at) - Date.now()) / DAY_MS)).toBe(90);
  });

  test('refuses paths that no link can read, and a link for longer than a year', async () => {
    for (const args of [
      ['--path', '/api/keys'],
      ['--path', '/api/bars/NOSUCH'],
      ['--path', PATH, '--expires', '400'],
      ['--path', PATH, '--scope', 'read'],
    ])
      expect(keys(['create', ...args, '--data', data])).rejects.toThrow(UsageError);
  });
});

test('invalid arguments give a one-line error and create nothing', async () => {
  const count = async () => linesOf((await tickwire('keys', 'list', '--json')).out).length;
  const before = await count();
  for (const [args, status, says] of WRONG) {
    // In this process, since there are many.
    const error = await keys([...args, '--data', data]).catch((thrown: Error) => thrown);
    expect({ args, error }).toEqual({ args, error: expect.any(status === 2 ? UsageError : AccessError) });
    expect((error as Error).message).toContain(says);
    expect((error as Error).message).not.toContain('\n');
  }
  expect(await count()).toBe(before);
});

test('errors are one line, with exit status 2 for invalid arguments and 1 otherwise', async () => {
  const cases: [string[], Ran][] = [
    [['nothing'], { status: 2, out: '', err: 'tickwire: unknown command nothing; run "tickwire help" for a list\n' }],
    [
      ['constructor'],
      { status: 2, out: '', err: 'tickwire: unknown command constructor; run "tickwire help" for a list\n' },
    ],
    [
      ['keys', 'create', '--tier', 'gold'],
      { status: 2, out: '', err: 'tickwire: unknown tier gold; available tiers: free, pro, premium\n' },
    ],
    [
      ['keys', 'revoke', 'nosuchkey'],
      {
        status: 1,
        out: '',
        err: 'tickwire: there is no key with the id nosuchkey; run "tickwire keys list" to see all keys\n',
      },
    ],
  ];
  await Promise.all(cases.map(async ([args, ran]) => expect(await tickwire(...args)).toEqual(ran)));
  const { status, out, err } = await tickwire('keys');
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain('tickwire keys rotate ID');
});

test('keys list shows the state of keys and no secrets', async () => {
  const { key, id } = await create('--name', 'listed', '--scope', 'read,admin');
  await eventually('used', () => works(key));
  const find = async () =>
    linesOf((await tickwire('keys', 'list', '--json')).out)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((row) => row.id === id)!;
  expect(await find()).toMatchObject({ name: 'listed', tier: 'free', scopes: ['read', 'admin'], revoked_at: null });
  await eventually('the last use shows', async () => (await find()).last_used_at !== null, 2_000);
  const { out } = await tickwire('keys', 'list');
  expect(out).toStartWith('ID ');
  expect(out).toContain(id);
  expect(out).not.toMatch(/tw_[0-9a-z]+_[0-9a-z]{30}/);
});

test('keys revoke invalidates the key and closes its streams within a second', async () => {
  const { key, id } = await create('--name', 'doomed');
  await eventually('good', () => works(key));
  const stream = new TestStream(service.url, 'market');
  await stream.subscribe(key, ['EURUSD']);
  await eventually('subscribed', () => stream.messages.length > 0);
  const { status, out } = await tickwire('keys', 'revoke', id);
  expect([status, out]).toEqual([0, `Key ${id} is revoked. Its streams close within a second.\n`]);
  await eventually('refused', async () => (await service.get('/api/session', key)).status === 401, 1_000);
  await eventually('closed', () => stream.closeCode === 4401, 1_000);
  expect((await tickwire('keys', 'rotate', id)).err).toContain('is revoked; create a new key instead');
});

test('keys rotate creates a replacement, with or without an overlap', async () => {
  const old = await create('--name', 'turning', '--scope', 'read,publish', '--tier', 'pro');
  const rotated = await tickwire('keys', 'rotate', old.id, '--overlap', '2', '--json');
  const fresh = JSON.parse(rotated.out) as Issued;
  expect(fresh).toMatchObject({ tier: 'pro', scopes: ['read', 'publish'], account: old.account });
  await eventually('both are good', async () => (await works(old.key)) && (await works(fresh.key)));
  const listed = (await tickwire('keys', 'list')).out.split('\n').find((line) => line.startsWith(old.id));
  expect(listed).toMatch(/until \d{4}-/);
  const { out } = await tickwire('keys', 'rotate', fresh.id, '--overlap', '0');
  expect(out).toContain(`The old key ${fresh.id} expires immediately.`);
  await eventually('the old one is gone', async () => !(await works(fresh.key)), 1_000);
});

test('every administrative action is in the audit log, without secrets', async () => {
  const { access, close } = openSqliteAccessStore(data);
  const entries = await access.auditLog({ limit: 1_000 });
  close();
  const actions = new Set(entries.map(({ action }) => action));
  for (const action of ['account created', 'key created', 'key revoked', 'key rotated'])
    expect(actions).toContain(action);
  expect(JSON.stringify(entries)).not.toMatch(/tw_[0-9a-z]+_/);
});

test('accepts tiers of the configuration file', async () => {
  const config = join(data, 'tiers.json');
  writeFileSync(
    config,
    JSON.stringify({ tiers: { desk: { requests_per_minute: 7, streams: 1, ai_calls_per_day: 0 } } }),
  );
  const { out } = await tickwire('keys', 'create', '--tier', 'desk', '--json', '--config', config);
  expect((JSON.parse(out) as Issued).tier).toBe('desk');
});
