import { expect, test } from 'bun:test';
import { OriginBreakers, originOf } from './origin-breakers.ts';

function breakers(): { hosts: OriginBreakers; pass: (ms: number) => void; fail: (destination: string) => void } {
  let now = 1_000_000;
  const hosts = new OriginBreakers(() => now);
  return {
    hosts,
    pass: (ms) => {
      now += ms;
    },
    fail: (destination) => {
      expect(hosts.enter('h', destination)).toBe(0);
      hosts.ended('h', destination, 'failed');
    },
  };
}

test('failures of one or two destinations do not stop a host', () => {
  const { hosts, fail } = breakers();
  for (let time = 0; time < 50; time++) fail(time % 2 ? 'a' : 'b');
  expect(hosts.enter('h', 'a')).toBe(0);
});

test('a host that fails for three destinations in a row waits, and one message tests it', () => {
  const { hosts, pass, fail } = breakers();
  for (const destination of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) fail(destination);
  expect(hosts.enter('h', 'a')).toBe(5_000);
  expect(hosts.enter('other', 'a')).toBe(0);
  pass(5_000);
  expect(hosts.enter('h', 'a')).toBe(0);
  // Others wait for the test.
  expect(hosts.enter('h', 'a')).toBe(1_000);
  hosts.ended('h', 'a', 'failed');
  expect(hosts.enter('h', 'a')).toBe(10_000);
  pass(10_000);
  expect(hosts.enter('h', 'a')).toBe(0);
  hosts.ended('h', 'b', 'reached');
  expect([hosts.enter('h', 'a'), hosts.enter('h', 'a')]).toEqual([0, 0]);
});

test('a message that was not sent after all is not a test of its host', () => {
  const { hosts, pass, fail } = breakers();
  for (const destination of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) fail(destination);
  pass(5_000);
  expect(hosts.enter('h', 'a')).toBe(0);
  hosts.ended('h', 'a', 'cancelled');
  expect(hosts.enter('h', 'a')).toBe(0);
});

test('only the message that tests a host decides about it', () => {
  const { hosts, pass, fail } = breakers();
  // Began before the host failed, and end later.
  for (const destination of ['late', 'stopped']) expect(hosts.enter('h', destination)).toBe(0);
  for (const destination of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) fail(destination);
  pass(5_000);
  expect(hosts.enter('h', 'a')).toBe(0);
  hosts.ended('h', 'stopped', 'cancelled');
  hosts.ended('h', 'late', 'failed');
  expect(hosts.enter('h', 'b')).toBe(1_000);
  hosts.ended('h', 'a', 'cancelled');
  expect(hosts.enter('h', 'b')).toBe(0);
});

test('the origin is that of the address, scheme included, or the channel if all its destinations have one server', () => {
  expect(originOf('webhook', { url: 'https://a.example:8443/x', secret: 's' })).toBe('https://a.example:8443');
  expect(originOf('push', { endpoint: 'https://push.example/1', keys: {} })).toBe('https://push.example');
  expect(originOf('telegram', { id: 1 })).toBe('telegram');
});
