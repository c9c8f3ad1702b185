import { expect, test } from 'bun:test';
import { CATALOGUE } from './catalogue.ts';
import { CurrencyConverter } from './currency.ts';
import { Engine } from './engine.ts';
import type { EngineEvent } from './events.ts';
import { asSymbol, type InstrumentSpec } from './instrument.ts';
import { bySymbol, PerInstrument } from './per-instrument.ts';
import { SymbolIndex } from './symbol-index.ts';
import { asEpochMs } from './time.ts';

const [euro, pound] = CATALOGUE as readonly [InstrumentSpec, InstrumentSpec];

test('an instrument that was added to the list gets its state when it is looked up, and its own place', () => {
  const list = [euro];
  const places = PerInstrument.of(list, ({ symbol }, index) => `${symbol} ${index}`);
  expect(places.get(pound.symbol)).toBeUndefined();
  list.push(pound);
  expect([places.get(pound.symbol), places.has(pound.symbol)]).toEqual(['GBPUSD 1', true]);
  expect(places.get(asSymbol('NOSUCH'))).toBeUndefined();
  expect([...places]).toEqual([
    [euro.symbol, 'EURUSD 0'],
    [pound.symbol, 'GBPUSD 1'],
  ]);
});

test('values include what was added since the last look', () => {
  const list = [euro];
  const specs = bySymbol(list);
  expect([...specs.values()]).toEqual([euro]);
  list.push(pound);
  expect([...specs.values()]).toEqual([euro, pound]);
});

test('the engine, the index of spellings and the converter know an added instrument', () => {
  const list = [euro];
  const engine = new Engine(list);
  const index = new SymbolIndex(list);
  const converter = new CurrencyConverter(list, () => 2);
  expect([index.resolve('GBP/USD'), converter.rate('GBP', 'USD')]).toEqual([undefined, null]);
  list.push(pound);
  const out: EngineEvent[] = [];
  const time = asEpochMs(60_000);
  engine.apply({ kind: 'quote', symbol: pound.symbol, time, bid: 1, ask: 2, bidSize: 1, askSize: 1 }, out);
  expect(out).toMatchObject([{ kind: 'tick', symbol: 'GBPUSD' }]);
  expect([index.resolve('GBP/USD'), converter.rate('GBP', 'USD')]).toEqual([pound.symbol, 2]);
});
