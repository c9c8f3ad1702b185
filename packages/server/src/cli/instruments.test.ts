import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT, FakeOanda, TOKEN } from '../../testing/feeds/fake-oanda.fixture.ts';
import { runTickwire } from '../../testing/process.fixture.ts';
import { BUY, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { ConfigError } from '../config/config.ts';
import { UsageError } from './arguments.ts';
import { instruments } from './instruments.ts';

const folders: string[] = [];
const newFolder = (): string => {
  folders.push(temporaryFolder());
  return folders.at(-1)!;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs the command in this process. */
async function run(data: string, ...args: string[]): Promise<{ status: number; out: string }> {
  const write = spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    const status = await instruments([...args, '--data', data]);
    return { status, out: write.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    write.mockRestore();
  }
}
const listed = async (data: string, symbol: string, ...args: string[]) =>
  JSON.parse((await run(data, 'list', symbol, '--json', ...args)).out) as Record<string, unknown>;
const fileIn = (data: string): unknown => JSON.parse(readFileSync(join(data, 'instruments.json'), 'utf8'));

test('finds instruments by other spellings of their symbols', async () => {
  const data = newFolder();
  for (const symbol of ['EUR/USD', 'eur_usd', 'EUR-USD'])
    expect(await listed(data, symbol)).toMatchObject({ symbol: 'EURUSD' });
  expect(run(data, 'list', 'BTC/USDT')).rejects.toThrow('there is no instrument BTCUSDT; enable a venue that has it');
});

test('lists instruments with their terms', async () => {
  const { out } = await run(newFolder(), 'list', 'jpn225', 'XAUUSD');
  expect(out).toMatch(/^SYMBOL +TYPE +DIGITS +PIP +CONTRACT +CURRENCY +MARGIN +LOTS +BARS +HOURS +TERMS\n/);
  expect(out).toMatch(/\nJPN225 +index +1 +1 +100 JPY per point +JPY +5 % +0.1 to 250 +trades +\S+ +built-in\n/);
  expect(out).toMatch(/\nXAUUSD +metal +3 +0.01 +100 troy ounces +USD +5 % +0.01 to 50 +trades +metals +built-in\n$/);
});

test('sets single terms in the file of the data folder, and takes them back', async () => {
  const data = newFolder();
  const { out } = await run(data, 'set', 'xauusd', '--digits', '2', '--bars', 'quotes');
  expect(out).toBe(`XAUUSD is changed in ${join(data, 'instruments.json')}. Restart the service to apply it.\n`);
  expect(fileIn(data)).toEqual({ replace: false, instruments: [{ symbol: 'XAUUSD', digits: 2, bars: 'quotes' }] });
  expect(await listed(data, 'XAUUSD')).toMatchObject({ digits: 2, bars: 'quotes', pipSize: 0.01, contractSize: 100 });
  await run(data, 'set', 'XAUUSD', '--bars', 'auto', '--max-lot', '20');
  expect(fileIn(data)).toEqual({ replace: false, instruments: [{ symbol: 'XAUUSD', digits: 2, max_lot: 20 }] });
  // What the feed declares.
  expect(await listed(data, 'XAUUSD')).toMatchObject({ bars: 'trades', maxLot: 20 });
});

test('adds an instrument that a service then has', async () => {
  const data = newFolder();
  const terms = [
    '--type',
    'equity',
    '--digits',
    '2',
    '--pip-size',
    '0.01',
    '--contract-size',
    '1',
    '--margin-rate',
    '0.2',
  ];
  await run(data, 'add', 'SAP.DE', ...terms, '--currency', 'EUR');
  await expect(run(data, 'add', 'sap.de', ...terms)).rejects.toThrow('SAP.DE exists already');
  const service = await startService({ data, feeds: 'push' });
  const { key } = await service.key();
  const response = await fetch(`${service.url}/api/symbols?detail=true`, { headers: { 'X-API-Key': key } });
  const { items } = (await response.json()) as { items: { symbol: string }[] };
  await service.stop();
  expect(items.find(({ symbol }) => symbol === 'SAP.DE')).toMatchObject({
    name: 'SAP.DE',
    digits: 2,
    min_lot: 0.01,
    quote: 'EUR',
    base: null,
    bars: null,
    source: null,
  });
  expect(items.find(({ symbol }) => symbol === 'EURUSD')).toMatchObject({
    digits: 5,
    base: 'EUR',
    quote: 'USD',
    contract_unit: 'EUR',
    source: expect.stringContaining('OANDA'),
  });
});

test('creates a configured file that does not exist', async () => {
  const data = newFolder();
  const file = join(data, 'mine.json');
  await run(data, 'set', 'XAUUSD', '--min-lot', '0.1', '--instruments', file);
  expect(await listed(data, 'XAUUSD', '--instruments', file)).toMatchObject({ minLot: 0.1 });
});

describe('refuses', () => {
  const data = newFolder();
  test.each<[string, string[], typeof UsageError | typeof ConfigError, string]>([
    ['no change', ['set', 'XAUUSD'], UsageError, 'say what to change'],
    ['an unknown instrument', ['set', 'NOSUCH', '--digits', '2'], ConfigError, 'tickwire instruments add NOSUCH'],
    [
      'a text for a number',
      ['set', 'XAUUSD', '--digits', 'two'],
      UsageError,
      '--digits is "two", but must be a number',
    ],
    ['impossible digits', ['set', 'XAUUSD', '--digits', '11'], ConfigError, 'digits'],
    ['unknown hours', ['set', 'XAUUSD', '--hours', 'lunch'], ConfigError, 'hours'],
    ['lots the wrong way round', ['set', 'XAUUSD', '--min-lot', '60'], ConfigError, 'max_lot is below min_lot'],
    ['another kind of bars', ['set', 'XAUUSD', '--bars', 'ticks'], UsageError, 'quotes, trades or auto'],
    [
      'a new instrument without terms',
      ['add', 'NEW', '--type', 'crypto'],
      UsageError,
      '--digits, --pip-size, --contract-size',
    ],
    ['another action', ['remove', 'XAUUSD'], UsageError, 'usage: tickwire instruments'],
  ])('%s', async (_name, args, error, says) => {
    const refused = await run(data, ...args).catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(error);
    expect((refused as Error).message).toContain(says);
    expect((refused as Error).message).not.toContain('\n');
  });

  test('and leaves the file as it was', async () => {
    expect(await Bun.file(join(data, 'instruments.json')).exists()).toBe(false);
  });
});

describe('digits of an instrument with stored data', () => {
  const data = newFolder();
  const settings = { data, feeds: 'push' };
  let active = '';

  test('cannot be fewer than stored prices have, or any other while signals are active', async () => {
    const service = await startService(settings);
    const market = await TestMarket.of(service);
    await market.quote('XAUUSD', 2412.345, 2412.5);
    await market.quote(...EURO);
    const publisher = await TestPublisher.of(service);
    active = (await publisher.open(BUY, market)).id;
    await service.stop();
    await expect(run(data, 'set', 'XAUUSD', '--digits', '2')).rejects.toThrow(
      'XAUUSD cannot have 2 digits (live store): a stored price has more decimals, 2412.345 at ',
    );
    for (const digits of ['4', '6'])
      await expect(run(data, 'set', 'EURUSD', '--digits', digits)).rejects.toThrow(
        `EURUSD cannot have ${digits} digits (live store): 1 active signal was published with 5 digits`,
      );
    expect((await run(data, 'set', 'XAUUSD', '--digits', '4')).status).toBe(0);
    expect((await run(data, 'check', 'XAUUSD', 'EURUSD')).out).toEndWith('2 checked; problems: 0.\n');
  });

  test('stop a service from judging active signals with other digits', async () => {
    const file = join(data, 'instruments.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, JSON.stringify({ instruments: [{ symbol: 'EURUSD', digits: 6 }] }));
    await expect(startService(settings)).rejects.toThrow(
      `EURUSD has 6 digits, but its active signal ${active} was published with 5`,
    );
    const { status, out } = await run(data, 'check', 'EURUSD');
    expect([status, out]).toEqual([1, expect.stringContaining('FAIL  EURUSD     live store: 1 active signal was')]);
    writeFileSync(file, before);
  });

  test('and other terms may change: results and records of closed signals stay what they were', async () => {
    const service = await startService(settings);
    const market = await TestMarket.of(service);
    await market.quote(...EURO);
    const publisher = await TestPublisher.of(service, ['read', 'publish']);
    const { id } = await publisher.open(BUY, market);
    const closed = await publisher.closed(id, market);
    await market.quote('EURUSD', 1.0815, 1.08162);
    const stopped = await publisher.ended(active);
    await service.stop();
    expect(stopped).toMatchObject({ close_reason: 'stop_loss' });

    await run(data, 'set', 'EURUSD', '--digits', '6', '--pip-size', '0.001', '--contract-size', '1000');
    const again = await startService(settings);
    const reader = await TestPublisher.of(again);
    for (const { id: each, pnl } of [
      { ...closed, id },
      { ...stopped, id: active },
    ])
      expect(await reader.detail(each)).toMatchObject({ pnl });
    await again.stop();
    const { status, out } = await runTickwire(['verify'], settings);
    expect([status, out]).toEqual([0, expect.stringContaining('no faults found')]);
  });
});

describe('check', () => {
  test('compares digits and pips with OANDA, and applies the digits it needs', async () => {
    await using oanda = new FakeOanda(['EUR_USD', 'XAU_USD']);
    const data = newFolder();
    const feed = ['--feeds', 'oanda', '--oanda-token', TOKEN, '--oanda-account', ACCOUNT, '--oanda-host', oanda.url];
    const { status, out } = await run(data, 'check', 'EURUSD', 'XAUUSD', 'GBPUSD', ...feed);
    expect(status).toBe(1);
    expect(out).toContain('ok    EURUSD     oanda: 5 digits\n');
    expect(out).toContain('FAIL  XAUUSD     prices of oanda have 5 digits, and those beyond 3 are refused\n');
    expect(out).toEndWith('3 checked; problems: 1.\n');
    expect((await run(data, 'check', 'XAUUSD', '--apply', ...feed)).status).toBe(0);
    expect(await listed(data, 'XAUUSD')).toMatchObject({ digits: 5 });
    expect((await run(data, 'check', 'XAUUSD', ...feed)).out).toContain(
      'note  XAUUSD     a pip is 0.01; oanda calls 0.0001 a pip',
    );
  });

  test('reports a feed that does not answer', async () => {
    const feed = [
      '--feeds',
      'oanda',
      '--oanda-token',
      TOKEN,
      '--oanda-account',
      ACCOUNT,
      '--oanda-host',
      'http://127.0.0.1:9',
    ];
    const { status, out } = await run(newFolder(), 'check', 'EURUSD', ...feed);
    expect([status, out]).toEqual([1, expect.stringContaining('oanda did not answer: ')]);
  });
});
