// Every example program, started as its head comment says, against a real service with simulated markets. Each has an
// account of its own, so that its actions are not mixed with those of others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TickwireClient } from '@tickwire/client';
import { canonicalJson } from '@tickwire/contract';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../packages/server/testing/delivery/fake-telegram.fixture.ts';
import { eventually, runTickwire } from '../packages/server/testing/process.fixture.ts';
import { clientPython, NO_CLIENT_PYTHON } from '../packages/server/testing/python.fixture.ts';
import { type RunningService, startService } from '../packages/server/testing/service.fixture.ts';
import { reportSkipped } from '../packages/server/testing/skipped.fixture.ts';
import { type Environment, endPrograms, Program, PYTHON, ROOT } from './testing/program.fixture.ts';

const MINUTE_MS = 60_000;
/** A bar closes after a minute. */
const BAR_MS = 100_000;
/** For what happens within a second on an idle machine. */
const WAIT_MS = 60_000;
const TEST_MS = 600_000;
if (!clientPython) reportSkipped('examples in Python', NO_CLIENT_PYTHON);
const BOTS = clientPython ? ['bot.ts', 'bot.py'] : ['bot.ts'];
const REPLAY_BOTS = BOTS.map((name) => `replay-${name}`);
const PROBE = ['-c', 'import pandas, tickwire'];
const hasPandas =
  Bun.spawnSync([PYTHON, ...PROBE], { env: { PYTHONPATH: join(import.meta.dir, '../python') } }).exitCode === 0;
if (!hasPandas)
  reportSkipped('exported files for freqtrade and Lean', 'Python has no pandas (apt-get install python3-pandas)');

let service: RunningService;
const folder = mkdtempSync(join(tmpdir(), 'tickwire-examples-'));

interface User {
  readonly client: TickwireClient;
  readonly env: Environment;
}

async function newUser(...scopes: readonly string[]): Promise<User> {
  const { key } = await service.key('premium', ['read', ...scopes]);
  const { url } = service;
  return { client: new TickwireClient({ url, apiKey: key }), env: { TICKWIRE_URL: url, TICKWIRE_API_KEY: key } };
}

async function publish({ client }: User, symbol: string, fraction = 0.01) {
  const { ask } = await client.quote(symbol);
  const { digits } = (await client.symbols({ detail: true })).items.find((each) => each.symbol === symbol)!;
  const round = (price: number) => Number(price.toFixed(digits));
  const levels = { entry: ask, stop_loss: round(ask * (1 - fraction)), take_profit: round(ask * (1 + fraction)) };
  return client.publishSignal({ symbol, direction: 'buy', ...levels });
}

beforeAll(async () => {
  service = await startService({ house: 'none', delivery_allow_private: 'true' });
}, TEST_MS);
afterAll(async () => {
  await endPrograms();
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('the bots', () => {
  const bots: { name: string; user: User; program: Program }[] = [];
  // Side by side: both wait for the end of a bar.
  beforeAll(async () => {
    for (const name of BOTS) {
      const user = await newUser('publish');
      bots.push({ name, user, program: Program.start(name, ['EURUSD'], user.env) });
    }
  });

  test.each(BOTS)(
    '%s publishes a signal in the direction of its moving averages',
    async (name) => {
      const { user, program } = bots.find((each) => each.name === name)!;
      const [, fast = '', slow = '', id, direction] = await program.prints(
        /ema\(9\) ([\d.]+), ema\(21\) ([\d.]+)\npublished (sig_\w+): (buy|sell) EURUSD at [\d.]+/,
        BAR_MS,
      );
      if (fast !== slow) expect(direction).toBe(Number(fast) > Number(slow) ? 'buy' : 'sell');

      const { id: publisher } = await user.client.account.get();
      const { items } = await user.client.signals({ symbol: 'EURUSD', user: publisher, status: 'all' });
      expect(items.map((each) => [each.id, each.direction])).toEqual([[id, direction]] as never);
      const [signal] = items;
      const [risk, reward] = [signal!.entry - signal!.stop_loss, signal!.take_profit - signal!.entry];
      expect(Math.sign(risk)).toBe(direction === 'buy' ? 1 : -1);
      expect(reward / risk).toBeCloseTo(2, 1);
    },
    TEST_MS,
  );
});

describe('the bots that run over yesterday', () => {
  const trades: string[][] = [];
  test.each(REPLAY_BOTS)(
    '%s trades a whole day in under a minute, and prints its record',
    async (name) => {
      const user = await newUser();
      await using program = Program.start(name, ['BTCUSD'], user.env);
      const [record, count, won, total] = await program.prints(
        /record: (\d+) trades, (\d+) won, (-?[\d.]+) %/,
        MINUTE_MS,
      );
      expect(await program.ended()).toBe(0);
      const results = [...program.output.matchAll(/ at [\d.]+, (-?[\d.]+) %/g)].map(([, percent]) => Number(percent));
      expect(results.length).toBeGreaterThan(10);
      expect([Number(count), Number(won)]).toEqual([results.length, results.filter((percent) => percent > 0).length]);
      expect(Math.abs(results.reduce((sum, percent) => sum + percent, 0) - Number(total))).toBeLessThan(0.1);
      const lines = [...program.output.matchAll(/(?:long|short|flat) at .*/g)].map(([line]) => line);
      trades.push([record, ...lines]);
      // Both do the same.
      expect(trades.at(-1)).toEqual(trades[0]!);
      expect((await user.client.replaySessions()).items).toEqual([]);
    },
    TEST_MS,
  );

  const LIVE = ['live.ts', 'live.py'].slice(0, REPLAY_BOTS.length);
  const programs = new Map<string, Program>();
  beforeAll(async () => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [at, name] of REPLAY_BOTS.entries()) {
      const source = readFileSync(join(import.meta.dir, name), 'utf8');
      const [before, call, after, ...more] = source.split(/^(.*market = .*yesterday\(.*)$/m);
      expect(more).toEqual([]);
      const path = join(folder, LIVE[at]!);
      writeFileSync(path, `${before}${call!.replace('yesterday(', 'live(')}${after}`);
      programs.set(LIVE[at]!, Program.start(path, ['BTCUSD'], (await newUser()).env));
    }
  });

  test.each(LIVE)(
    '%s, with one changed line, trades the present',
    async (name) => {
      const [, time] = await programs.get(name)!.prints(/(\S+) (?:long|short) at [\d.]+\n/, BAR_MS);
      expect(Math.abs(Date.parse(time!) - Date.now())).toBeLessThan(10 * MINUTE_MS);
    },
    TEST_MS,
  );
});

test(
  'the alert bot answers verified webhooks, refuses others, and cleans up',
  async () => {
    const user = await newUser('alerts');
    await using bot = Program.start('alert-bot.ts', ['EURUSD'], { ...user.env, PORT: '0' });
    const [, id, address] = await bot.prints(/alert (\w+): EURUSD crosses [\d.]+, webhooks to (\S+)/);
    const [, message] = await bot.prints(/alert\.fired (\w+): EURUSD bid crossed .*\. Now [\d.]+ \/ [\d.]+/);
    const isDelivered = async () => {
      const { items } = await user.client.deliveries({ alert: id! });
      return items.some((each) => each.id === message && each.state === 'delivered');
    };
    await eventually('the delivery', isDelivered, WAIT_MS);

    const headers = { 'webhook-id': 'forged', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    const forged = await fetch(address!, {
      method: 'POST',
      headers: { ...headers, 'webhook-signature': 'v1,AAAA' },
      body: '{"type":"alert.fired","data":{"title":"Send money"}}',
    });
    expect(forged.status).toBe(400);
    await bot.prints(/refused: No signature matches/);
    expect(bot.output).not.toContain('Send money');

    expect(await bot.interrupt()).toBe(0);
    expect([(await user.client.alerts()).items, (await user.client.destinations()).items]).toEqual([[], []]);
  },
  TEST_MS,
);

test.skipIf(!clientPython)(
  'the publisher signs its signals with a key that the service never sees',
  async () => {
    const user = await newUser('publish');
    const { id: publisher, name } = await user.client.account.get();
    const pem = join(folder, 'publisher.pem');
    const run = async () => {
      await using program = Program.start('publisher.py', [pem, 'EURUSD', 'sell'], user.env);
      return { status: await program.ended(), output: program.output };
    };
    const first = await run();
    const [, publicKey = ''] = /npx tickwire keys sign-with .+ ([0-9a-f]{64})/.exec(first.output) ?? [];
    expect(first).toEqual({ status: 0, output: expect.stringContaining(publicKey) });
    expect(publicKey).toHaveLength(64);
    expect(statSync(pem).mode & 0o777).toBe(0o600);
    const registered = await runTickwire(['keys', 'sign-with', name, publicKey], { data: service.folder });
    expect(registered).toMatchObject({ status: 0 });

    const second = await run();
    const [, id = ''] = /published (sig_\w+)/.exec(second.output) ?? [];
    expect(second.output).toContain('1 valid signatures of publishers');
    expect(second.status).toBe(0);

    const { items } = await user.client.signalLog();
    const published = items.map(({ record }) => record).filter((record) => record.type === 'published');
    const record = published.find(({ signal }) => signal === id)!;
    const { signed_at, signature, public_key } = record.signed!;
    const { symbol, direction, entry, stop_loss, take_profit, note_sha256 } = record;
    const levels = { symbol, direction, entry, stop_loss, take_profit, note_sha256 };
    const text = canonicalJson({ action: 'publish', publisher, signed_at, ...levels });
    const x = Buffer.from(publicKey, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(public_key).toBe(publicKey);
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'))).toBe(true);
    await expect(publish(user, 'EURUSD')).rejects.toThrow(/sign/i);
  },
  TEST_MS,
);

test(
  'the Telegram bot answers with quotes and announces signals to those who follow',
  async () => {
    const user = await newUser();
    const publisher = await newUser('publish');
    await using telegram = await FakeTelegram.open();
    for (const id of [11, 22]) telegram.chat({ id, type: 'private', title: `Chat ${id}` });
    const env = { ...user.env, TELEGRAM_API_URL: telegram.url, TELEGRAM_BOT_TOKEN: FAKE_BOT_TOKEN };
    await using bot = Program.start('telegram-bot.ts', [], env);
    const heard = async (chat: number, pattern: RegExp): Promise<void> => {
      const has = () => telegram.sent.some((each) => each.chat === chat && pattern.test(each.text));
      await eventually(`${pattern} among ${JSON.stringify(telegram.sent)}; ${bot.output}`, has, WAIT_MS);
    };

    telegram.say(11, '/price eur/usd');
    await heard(11, /^EURUSD 1\.\d+ \/ 1\.\d+$/);
    telegram.say(22, '/price NOSUCH');
    await heard(22, /NOSUCH/);
    telegram.say(11, '/follow');
    await heard(11, /every new signal/);
    // The stream of signals starts with the next one: the bot may not have joined it at the first.
    const isAnnounced = async () => {
      const { entry } = await publish(publisher, 'XAUUSD');
      await Bun.sleep(500);
      return telegram.sent.some(({ chat, text }) => chat === 11 && text.includes(`buy XAUUSD at ${entry}, stop `));
    };
    await eventually('an announcement', isAnnounced, WAIT_MS);
    expect(telegram.sent.filter(({ chat }) => chat === 22)).toHaveLength(1);
    telegram.say(11, '/stop');
    await heard(11, /^Stopped\.$/);
  },
  TEST_MS,
);

test.skipIf(!hasPandas)(
  'exported files have what freqtrade and Lean read',
  async () => {
    const user = await newUser();
    const exported = join(folder, 'exported');
    const range = { FROM: '2026-03-02', TO: '2026-03-04' };
    const exportTo = async (name: string, ...words: string[]) => {
      const command = ['export', words[0]!, join(exported, name), '--symbol=BTCUSD', ...words.slice(1)];
      expect(await runTickwire(command, { data: service.folder })).toMatchObject({ status: 0 });
    };
    const days = [`--from=${range.FROM}`, `--to=${range.TO}`];
    await exportTo('freqtrade', 'bars', '--format=freqtrade', '--interval=5m', ...days);
    await exportTo('freqtrade', 'ticks', '--format=freqtrade', '--kind=trades');
    for (const interval of ['1m', '1h'])
      await exportTo('lean', 'bars', '--format=lean', '--market=coinbase', `--interval=${interval}`, ...days);
    await using tests = Program.start('testing/test_exports.py', [], { ...user.env, ...range, EXPORTED: exported });
    const status = await tests.ended();
    expect(tests.output).toMatch(/Ran 4 tests[\s\S]*\nOK\n/);
    expect(status).toBe(0);
  },
  TEST_MS,
);

test(
  'a data link has the columns that the Lean algorithm reads',
  async () => {
    const user = await newUser('publish', 'admin');
    const { id: signal } = await publish(user, 'BTCUSD', 0.02);
    const { id } = await user.client.account.get();
    const path = `/api/signals?status=all&symbol=BTCUSD&user=${id}&limit=500&format=csv`;
    const { url: link } = await user.client.links.create({ name: 'Lean', path });
    const [, columns = ''] = /COLUMNS = \((.+)\)/.exec(readFileSync(join(import.meta.dir, 'lean/main.py'), 'utf8'))!;
    const lines = (await (await fetch(link!)).text()).split('\n');
    expect(lines[0]).toStartWith(columns.replaceAll(/[" ]/g, ''));
    expect(lines[1]).toStartWith(`${signal},`);
  },
  TEST_MS,
);
