import { describe, expect, test } from 'bun:test';
import { originReader } from './public-origin.ts';
import { readSessionCookie } from './session-cookie.ts';

const request = (headers: Record<string, string>): Request => new Request('http://ignored.example/', { headers });
const read = originReader({ publicUrl: null, tls: false, trustedProxies: ['10.0.0.0/8'] });

describe('the public origin', () => {
  test('is the requested host', () => {
    expect(read(request({ Host: 'Tick.Example:8080' }), '203.0.113.1')).toBe('http://tick.example:8080');
    const https = originReader({ publicUrl: null, tls: true, trustedProxies: [] });
    expect(https(request({ Host: 'tick.example:443' }), '203.0.113.1')).toBe('https://tick.example');
  });

  test('follows forwarded headers of a trusted proxy only', () => {
    const forwarded = request({ Host: 'inner:8080', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'tick.example' });
    expect(read(forwarded, '10.1.2.3')).toBe('https://tick.example');
    expect(read(forwarded, '::ffff:10.1.2.3')).toBe('https://tick.example');
    expect(read(forwarded, '203.0.113.1')).toBe('http://inner:8080');
    expect(read(forwarded, undefined)).toBe('http://inner:8080');
  });

  test('takes the last of several forwarded values', () => {
    const chain = { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'evil.example, tick.example' };
    expect(read(request({ Host: 'inner', ...chain }), '10.1.2.3')).toBe('https://tick.example');
  });

  test('is empty if the headers are malformed', () => {
    for (const headers of [{ Host: '' }, { Host: 'a b' }, { Host: 'x', 'X-Forwarded-Proto': 'javascript' }])
      expect(read(request(headers as Record<string, string>), '10.1.2.3')).toBe('');
  });

  test('is the configured one, regardless of the request', () => {
    const named = originReader({ publicUrl: 'https://tick.example/', tls: false, trustedProxies: [] });
    expect(named(request({ Host: 'evil.example' }), '203.0.113.1')).toBe('https://tick.example');
  });
});

test('the session cookie is found among other cookies, only under the name for the scheme', () => {
  expect(readSessionCookie('a=1; tickwire=abc; b=2', false)).toBe('abc');
  expect(readSessionCookie('a=1; tickwire=abc', true)).toBeNull();
  expect(readSessionCookie('__Host-tickwire=abc;tickwire=def', true)).toBe('abc');
  for (const header of [null, '', 'tickwire', 'tickwire=', 'xtickwire=abc', 'x=tickwire=abc'])
    expect(readSessionCookie(header, false)).toBeNull();
});
