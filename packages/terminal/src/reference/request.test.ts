import { describe, expect, test } from 'bun:test';
import { type FormField, requestOf } from './request.ts';

const quote = { method: 'GET', path: '/api/market/{symbol}/quote', auth: 'key' };
const symbol: FormField = { in: 'path', name: 'symbol', value: 'EUR/USD' };
const key: FormField = { in: 'key', name: '', value: ' tw_1 ' };

describe('a tried request', () => {
  test('has its values in the path and in the query, without empty ones', () => {
    const { target, init } = requestOf(quote, [
      symbol,
      { in: 'query', name: 'detail', value: 'true' },
      { in: 'query', name: 'symbols', value: 'A,B&c' },
      { in: 'query', name: 'none', value: ' ' },
      { in: 'header', name: 'If-None-Match', value: '"x"' },
    ]);
    expect(target).toBe('/api/market/EUR%2FUSD/quote?detail=true&symbols=A,B%26c');
    expect(init).toMatchObject({ method: 'GET', headers: { 'If-None-Match': '"x"' } });
    expect(init.body).toBeUndefined();
  });

  test('has the key in a header and never in the address, and then no cookie', () => {
    const { target, init } = requestOf(quote, [symbol, key]);
    expect(target).not.toContain('tw_1');
    expect(init.headers).toEqual({ 'X-API-Key': 'tw_1' });
    expect(init.credentials).toBe('omit');
  });

  test('uses the session only to read', () => {
    expect(requestOf(quote, [symbol]).init.credentials).toBe('same-origin');
    const create = { method: 'POST', path: '/api/alerts', auth: 'key' };
    const body: FormField = { in: 'body', name: '', value: '{}', type: 'application/json' };
    expect(requestOf(create, [body]).init).toMatchObject({
      method: 'POST',
      body: '{}',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(requestOf({ method: 'GET', path: '/healthz', auth: 'none' }, []).init.credentials).toBe('omit');
  });

  test('cannot leave its path', () => {
    const path = (value: string): string => requestOf(quote, [{ ...symbol, value }]).target;
    expect(path('../../x?y#z')).toBe('/api/market/..%2F..%2Fx%3Fy%23z/quote');
    expect(() => path('..')).toThrow('dots');
    expect(() => path('')).toThrow('missing');
  });
});
