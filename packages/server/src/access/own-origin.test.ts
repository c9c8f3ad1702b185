import { describe, expect, test } from 'bun:test';
import { originReader } from './own-origin.ts';
import { tokenIn } from './session-cookie.ts';

const request = (headers: Record<string, string>): Request => new Request('http://ignored.example/', { headers });
const read = originReader({ publicUrl: null, tls: false, trustedProxies: ['10.0.0.0/8'] });

describe('the origin of our own', () => {
  test('is the host that was asked for', () => {
    expect(read(request({ Host: 'Tick.Example:8080' }), '203.0.113.1')).toBe('http://tick.example:8080');
    const https = originReader({ publicUrl: null, tls: true, trustedProxies: [] });
    expect(https(request({ Host: 'tick.example:443' }), '203.0.113.1')).toBe('https://tick.example');
  });

  test('is what a trusted proxy says, and nobody else', () => {
    const forwarded = request({ Host: 'inner:8080', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'tick.example' });
    expect(read(forwarded, '10.1.2.3')).toBe('https://tick.example');
    expect(read(forwarded, '::ffff:10.1.2.3')).toBe('https://tick.example');
    expect(read(forwarded, '203.0.113.1')).toBe('http://inner:8080');
    expect(read(forwarded, undefined)).toBe('http://inner:8080');
  });

  test('of what several proxies wrote, the last counts', () => {
    const chain = { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'evil.example, tick.example' };
    expect(read(request({ Host: 'inner', ...chain }), '10.1.2.3')).toBe('https://tick.example');
  });

  test('is none where the headers make no sense', () => {
    for (const headers of [{ Host: '' }, { Host: 'a b' }, { Host: 'x', 'X-Forwarded-Proto': 'javascript' }])
      expect(read(request(headers as Record<string, string>), '10.1.2.3')).toBe('');
  });

  test('is what the configuration says, whatever the request does', () => {
    const named = originReader({ publicUrl: 'https://tick.example/', tls: false, trustedProxies: [] });
    expect(named(request({ Host: 'evil.example' }), '203.0.113.1')).toBe('https://tick.example');
  });
});

test('a session is found among other cookies, and only under the name that fits', () => {
  expect(tokenIn('a=1; tickwire=abc; b=2', false)).toBe('abc');
  expect(tokenIn('a=1; tickwire=abc', true)).toBeNull();
  expect(tokenIn('__Host-tickwire=abc;tickwire=def', true)).toBe('abc');
  for (const header of [null, '', 'tickwire', 'tickwire=', 'xtickwire=abc', 'x=tickwire=abc'])
    expect(tokenIn(header, false)).toBeNull();
});
