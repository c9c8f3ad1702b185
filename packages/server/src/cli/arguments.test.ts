import { expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { type ConfigError, loadConfig } from '../config/config.ts';
import { readArguments, UsageError } from './arguments.ts';
import { requestedInstrument } from './import-flags.ts';

const fault = (run: () => unknown): Error => {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was refused');
};

test.each([
  [['--fo'], 'unknown flag --fo; --help lists all flags'],
  [['--fo=3'], 'unknown flag --fo; --help lists all flags'],
  [['-x'], 'unknown flag -x; --help lists all flags'],
  [['--tier'], '--tier needs a value'],
  [['--tier', '--json'], '--tier needs a value'],
  [['--json=3'], '--json takes no value'],
  [['--tier', 'a', '--tier', 'b'], '--tier is given twice; separate several values by commas'],
])('says in plain words what is wrong with %p', (args, message) => {
  const error = fault(() => readArguments(args, { values: ['tier'], switches: ['json'] }));
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toBe(message);
});

test('tells a wrong flag from a wrong variable', () => {
  const wrong = (sources: object) => fault(() => loadConfig({ env: {}, ...sources })) as ConfigError;
  expect(wrong({ flags: { port: 'abc' } }).isUsage).toBe(true);
  expect(wrong({ flags: { feeds: 'sim' }, live: true }).isUsage).toBe(true);
  expect(wrong({ env: { TICKWIRE_PORT: 'abc' } }).isUsage).toBe(false);
});

test.each([
  ['AAPL', 'equity'],
  ['GOOGL', 'equity'],
  ['EURSEK', 'forex'],
  ['EURNZD', 'forex'],
  ['PEPEUSDT', 'crypto'],
  ['WIFUSDT.P', 'crypto'],
])('suggests for %s the terms of %s', (symbol, type) => {
  const { message } = fault(() => requestedInstrument(symbol, []));
  expect(message).toContain(`tickwire instruments add ${asSymbol(symbol)} --type ${type} `);
});
