// What a user sees: the banner of the first start, help texts, and a log without secrets.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };
import { runHere } from '../../testing/command.fixture.ts';
import { eventually, killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { TestStream } from '../../testing/stream.fixture.ts';

const data = temporaryFolder();

afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

test('prints the demo key on the first start only, with a curl command that works as printed', async () => {
  const first = await ServiceProcess.start({ data });
  expect(first.out).toContain('SIMULATED MARKETS');
  expect(first.out.match(/tw_[0-9a-z]+_[0-9a-z]+/g)).toHaveLength(2);
  expect(first.out).toMatch(/ends after 7 days\..*Settings › API keys.*tickwire keys create --tier premium/s);
  const line = first.out.split('\n').find((each) => each.trim().startsWith('curl'))!;
  const curl = Bun.spawnSync(['sh', '-c', `${line.trim()} -sS`]);
  expect(JSON.parse(curl.stdout.toString())).toMatchObject({ symbol: 'EURUSD' });
  const usage = (await (await first.get('/api/usage', first.demoKey)).json()) as { tier: string };
  expect(usage.tier).toBe('premium');
  const link = /^ {4}(http\S+\/setup\?token=\S+)$/m.exec(first.out)![1]!;
  expect(link).toStartWith(`${first.url}/setup?token=`);
  await first.stop();

  const second = await ServiceProcess.start({ data });
  // Without an owner, each start prints a new link.
  const next = /\/setup\?token=(\S+)$/m.exec(second.out)![1]!;
  expect(link).not.toContain(next);
  expect(second.err).not.toContain(next);
  expect(second.out + second.err).not.toMatch(/tw_[0-9a-z]+_/);
  expect(second.out).toContain('tickwire keys create');
  await second.stop();
});

test('logs no secrets at debug level, wherever a key was sent', async () => {
  const service = await ServiceProcess.start({ data, log: 'debug' });
  const { out } = await runTickwire(['keys', 'create', '--tier', 'premium', '--json'], { data });
  const { key, id } = JSON.parse(out) as { key: string; id: string };
  await eventually('good', async () => (await service.get('/api/usage', key)).ok);
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const asked = [
    service.get('/api/session', wrong),
    service.get(`/api/session?api_key=${key}`, key),
    service.get(`/api/${key}`),
    service.get(`/api/market/${key}/quote`, key),
    service.get(`/api/market/EURUSD?timeframe=${key}`, key),
    service.get('/api/signals?status=all', ` ${key} `),
  ];
  await Promise.all(asked);
  const stream = new TestStream(service.url, 'market');
  await stream.subscribe(key, ['EURUSD', key]);
  await eventually('subscribed', () => stream.messages.length > 0);
  const stranger = new TestStream(service.url, 'market');
  await stranger.subscribe(wrong, ['EURUSD']);
  await eventually('refused', () => stranger.closeCode !== null);
  await service.stop();
  expect(service.err.split('\n').length).toBeGreaterThan(5);
  const secret = key.slice(`tw_${id}_`.length);
  for (const text of [service.out, service.err]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(0, 30));
    expect(text).not.toMatch(/tw_[0-9a-z]+_[0-9a-z]/);
  }
  for (const line of service.err.trim().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), level: expect.any(String) });
  }
});

test.each(['--version', '-v', 'version'])('tickwire %s prints the version', async (argument) => {
  const { status, out } = await runHere([argument]);
  expect([status, out]).toEqual([0, `tickwire ${manifest.version}\n`]);
});

test('every command has a help text', async () => {
  const cases: [string[], number, string][] = [
    [['help'], 0, 'tickwire serve'],
    [['serve', '--help'], 0, '--sim-rate'],
    [['keys', '--help'], 0, 'tickwire keys rotate ID'],
    [['accounts', '--help'], 0, 'set-tier ACCOUNT TIER'],
    [['accounts', '--help'], 0, 'reset-password ACCOUNT'],
    [['backup', '--help'], 0, 'tickwire backup FOLDER'],
    [['doctor', '--help'], 0, 'tickwire doctor'],
    [[], 2, 'tickwire serve'],
  ];
  await Promise.all(
    cases.map(async ([args, status, says]) => {
      const ran = await runHere(args, { data });
      expect([args, ran.status, ran.err]).toEqual([args, status, '']);
      expect(ran.out).toContain(says);
    }),
  );
});

test('serve rejects positional arguments', async () => {
  const ran = await runHere(['serve', 'now'], { data });
  expect([ran.status, ran.out]).toEqual([2, '']);
  expect(ran.err).toBe('tickwire: unexpected argument now; run "tickwire serve --help" for all flags\n');
});
