import { expect, test } from 'bun:test';
import { TickwireClient } from './client.ts';
import { withEnvironment } from './environment.ts';

const ENVIRONMENT = { TICKWIRE_URL: ' https://ticks.example.com/prefix ', TICKWIRE_API_KEY: 'tw_environment' };

test('address and key are those of the environment unless they are given', () => {
  expect(withEnvironment({}, ENVIRONMENT)).toEqual({
    url: 'https://ticks.example.com/prefix',
    apiKey: 'tw_environment',
  });
  const given = { url: 'http://a', apiKey: 'tw_given', timeoutMs: 5 };
  expect(withEnvironment(given, ENVIRONMENT)).toEqual(given);
  const unknown = { url: undefined, apiKey: undefined } as never;
  expect(withEnvironment(unknown, ENVIRONMENT)).toEqual(withEnvironment({}, ENVIRONMENT));
});

test('the key of the environment is sent to the service of the environment only', () => {
  const keyFor = (url: string, environment = {}) =>
    withEnvironment({ url }, { TICKWIRE_API_KEY: 'tw_environment', ...environment }).apiKey;
  expect(keyFor('https://ticks.example.com:443/other', ENVIRONMENT)).toBe('tw_environment');
  expect(keyFor('http://127.0.0.1:8080/')).toBe('tw_environment');
  for (const url of [
    'http://ticks.example.com',
    'https://ticks.example.com.evil.test',
    'http://127.0.0.1:8080',
    'ticks',
  ])
    expect([url, keyFor(url, ENVIRONMENT)]).toEqual([url, undefined]);
  expect(keyFor('http://127.0.0.1:8081')).toBeUndefined();
});

test('without either, the address is that of a service on this machine', () => {
  for (const environment of [{}, { TICKWIRE_URL: '', TICKWIRE_API_KEY: ' ' }])
    expect(withEnvironment({}, environment)).toEqual({ url: 'http://127.0.0.1:8080' });
});

test('an unusable value of the environment is named, and a key is not shown', () => {
  const create = (environment: object) => () => new TickwireClient(withEnvironment({}, environment));
  expect(create({ TICKWIRE_URL: 'ticks' })).toThrow('TICKWIRE_URL');
  expect(create({ TICKWIRE_API_KEY: 'tw secret' })).toThrow('TICKWIRE_API_KEY');
  expect(create({ TICKWIRE_API_KEY: 'tw secret' })).not.toThrow('secret');
});
