import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '@tickwire/engine';
import { ConfigError } from './config.ts';
import { type LoadOptions, loadInstruments } from './instruments.ts';

const settings = (instruments: string | null): LoadOptions => ({ feeds: ['sim'], venues: {}, instruments });

import { startService, temporaryFolder } from './testing/service.fixture.ts';

// Processes start slowly on a busy machine.
setDefaultTimeout(30_000);

const folder = temporaryFolder();
const file = join(folder, 'instruments.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRY = {
  symbol: 'mine.x',
  name: 'My own',
  type: 'equity',
  pip_size: 0.01,
  digits: 2,
  contract_size: 1,
  margin_rate: 0.2,
  min_lot: 1,
  max_lot: 100,
};
const write = (content: unknown): string => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

test('without a file it is the catalogue', () => {
  expect(loadInstruments(settings(null))).toEqual(CATALOGUE);
});

test('a file adds to the catalogue, in canonical upper case, always open unless it says otherwise', () => {
  const list = loadInstruments(settings(write({ instruments: [ENTRY] })));
  expect(list).toHaveLength(CATALOGUE.length + 1);
  expect(list.at(-1)).toMatchObject({ symbol: 'MINE.X', digits: 2, marginRate: 0.2, hours: 'always' });
});

test('an entry of a known symbol takes its place', () => {
  const list = loadInstruments(
    settings(write({ instruments: [{ ...ENTRY, symbol: 'eurusd', digits: 6, hours: 'forex' }] })),
  );
  expect(list).toHaveLength(CATALOGUE.length);
  expect(list.find(({ symbol }) => symbol === 'EURUSD')).toMatchObject({ digits: 6, name: 'My own' });
});

test('with replace the file stands alone, and a service runs on it', async () => {
  write({ replace: true, instruments: [ENTRY, { ...ENTRY, symbol: 'OTHER' }] });
  expect(loadInstruments(settings(file)).map(({ symbol }) => String(symbol))).toEqual(['MINE.X', 'OTHER']);
  const service = await startService({ instruments: file });
  const headers = { 'X-API-Key': service.app.demoKey! };
  const symbols = (await (await fetch(`${service.url}/api/symbols`, { headers })).json()) as { count: number };
  expect(symbols.count).toBe(2);
  const answer = await fetch(`${service.url}/api/market/mine.x?timeframe=1d&bars=500`, { headers });
  const { symbol, ohlcv } = (await answer.json()) as { symbol: string; ohlcv: { low: number }[] };
  expect(symbol).toBe('MINE.X');
  expect(ohlcv).toHaveLength(500);
  for (const { low } of ohlcv) expect(low).toBeGreaterThan(0);
  await service.stop();
});

describe('a bad file is refused in one line that says where', () => {
  const without = ({ digits: _, ...rest }: typeof ENTRY) => rest;
  test.each([
    ['not JSON', '{', ''],
    ['a list', [ENTRY], 'the file'],
    ['no instruments', { instruments: [] }, 'instruments'],
    ['a missing field', { instruments: [ENTRY, without(ENTRY)] }, 'instruments.1.digits'],
    ['an unknown field', { instruments: [{ ...ENTRY, pip: 1 }] }, 'pip'],
    ['an unknown type', { instruments: [{ ...ENTRY, type: 'bond' }] }, 'instruments.0.type'],
    ['unknown hours', { instruments: [{ ...ENTRY, hours: 'lunch' }] }, 'instruments.0.hours'],
    ['a bad symbol', { instruments: [{ ...ENTRY, symbol: 'A/B' }] }, 'instruments.0.symbol'],
    ['a negative pip', { instruments: [{ ...ENTRY, pip_size: -1 }] }, 'instruments.0.pip_size'],
    ['fractional digits', { instruments: [{ ...ENTRY, digits: 1.5 }] }, 'instruments.0.digits'],
    ['lots the wrong way round', { instruments: [{ ...ENTRY, min_lot: 200 }] }, 'max_lot is below min_lot'],
    ['a symbol twice', { instruments: [ENTRY, { ...ENTRY, symbol: 'MINE.X' }] }, 'MINE.X stands in it twice'],
  ])('%s', (_name, content, says) => {
    write(content);
    const refusal = (() => {
      try {
        return loadInstruments(settings(file));
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(ConfigError);
    const { message } = refusal as Error;
    expect(message).toStartWith(`instrument file ${file}: `);
    expect(message).toContain(says);
    expect(message).not.toContain('\n');
  });

  test('one that is not there', () => {
    expect(() => loadInstruments(settings(join(folder, 'none.json')))).toThrow(ConfigError);
  });
});
