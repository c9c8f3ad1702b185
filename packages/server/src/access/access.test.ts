import { describe, expect, test } from 'bun:test';
import { addressReader, callerNetwork } from './client-address.ts';
import { keyId, matchesHash, mintKey } from './key-format.ts';

describe('API keys', () => {
  test('a new key contains its id and matches its own hash only', () => {
    const { id, key, hash } = mintKey();
    expect(key).toStartWith(`tw_${id}_`);
    expect(keyId(key)).toBe(id);
    expect(matchesHash(key, hash)).toBe(true);
    expect(matchesHash(mintKey().key, hash)).toBe(false);
  });

  test('the checksum detects a changed character anywhere', () => {
    const { key } = mintKey();
    for (let at = 3; at < key.length; at++) {
      const changed = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect(keyId(changed)).toBeUndefined();
    }
  });

  test('a malformed key has no id', () => {
    for (const text of ['', 'tw_', 'tw__', 'x'.repeat(1000), 'tw_abc_def', '\0', 'tw_é'])
      expect(keyId(text)).toBeUndefined();
  });
});

describe('client addresses', () => {
  const read = addressReader(['10.0.0.0/8', '::1']);

  test('ignores X-Forwarded-For of an untrusted peer', () => {
    expect(read('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
  });

  test('behind trusted proxies takes the last untrusted hop, not what the client claims before it', () => {
    expect(read('10.1.1.1', '6.6.6.6, 203.0.113.9, 10.2.2.2')).toBe('203.0.113.9');
    expect(read('::1', '2001:db8::7')).toBe('2001:db8::7');
    expect(read('::ffff:10.1.1.1', '203.0.113.9:4711')).toBe('203.0.113.9');
  });

  test('falls back to the proxy address if the header is malformed', () => {
    expect(read('10.1.1.1', 'unknown')).toBe('10.1.1.1');
    expect(read('10.1.1.1', '')).toBe('10.1.1.1');
  });

  test('counts an IPv6 client by its /64', () => {
    expect(callerNetwork('2001:db8:1:2:aaaa::1')).toBe(callerNetwork('2001:0db8:1:2::ffff'));
    expect(callerNetwork('2001:db8:1:3::1')).not.toBe(callerNetwork('2001:db8:1:2::1'));
  });
});
