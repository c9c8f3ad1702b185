import { describe, expect, test } from 'bun:test';
import { proxyFor } from './proxy.ts';

const settings = {
  http: 'http://plain:1',
  https: ' http://safe:2 ',
  except: 'intra.example, .corp.example,10.0.0.1,::1,one.example:8080',
};
const of = (url: string, given = settings): string | null => proxyFor(new URL(url), given);

describe('the proxy of a request', () => {
  test('depends on the protocol', () => {
    expect(of('http://feeds.example/')).toBe('http://plain:1');
    expect(of('https://feeds.example/')).toBe('http://safe:2');
    expect(of('ws://feeds.example/')).toBe('http://plain:1');
    expect(of('wss://feeds.example/')).toBe('http://safe:2');
  });

  test('needs no scheme', () => {
    expect(proxyFor(new URL('wss://feeds.example/'), { https: 'proxy.corp:3128' })).toBe('http://proxy.corp:3128');
    expect(proxyFor(new URL('https://feeds.example/'), { https: '127.0.0.1:3128' })).toBe('http://127.0.0.1:3128');
  });

  test('is none without a setting and for excepted hosts', () => {
    expect(proxyFor(new URL('https://feeds.example/'), {})).toBeNull();
    expect(proxyFor(new URL('https://feeds.example/'), { https: ' ' })).toBeNull();
    for (const host of [
      'intra.example',
      'a.intra.example',
      'x.corp.example',
      '10.0.0.1',
      '[::1]',
      'one.example:8080',
    ]) {
      expect(of(`http://${host}/`)).toBeNull();
    }
    expect(of('http://notintra.example/')).toBe('http://plain:1');
    expect(of('http://one.example/')).toBe('http://plain:1');
    expect(of('http://feeds.example/', { ...settings, except: '*' })).toBeNull();
  });
});
