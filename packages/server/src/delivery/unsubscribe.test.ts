import { expect, test } from 'bun:test';
import { readUnsubscribeToken, unsubscribeToken, unsubscribeUrl } from './unsubscribe.ts';

const KEY = new Uint8Array(32).fill(1);
const OTHER = new Uint8Array(32).fill(2);

test('a token names its destination, and only the service can make one', () => {
  const token = unsubscribeToken(KEY, 'dst_2a1b5d7e8f603f9c');
  expect(readUnsubscribeToken(KEY, token)).toBe('dst_2a1b5d7e8f603f9c');
  expect(readUnsubscribeToken(OTHER, token)).toBeNull();
  expect(readUnsubscribeToken(KEY, token.replace('dst_2', 'dst_3'))).toBeNull();
  for (const wrong of ['', '.', token.slice(0, -1), `${token}A`, token.split('.')[0]!, `${token}\n`, 'a/b.c'])
    expect(readUnsubscribeToken(KEY, wrong)).toBeNull();
});

test('the address of a link needs no escaping', () => {
  const url = unsubscribeUrl('https://tick.example/', unsubscribeToken(KEY, 'dst_1'));
  expect(url).toMatch(/^https:\/\/tick\.example\/unsubscribe\/dst_1\.[\w-]{22}$/);
  expect(new URL(url).href).toBe(url);
});
