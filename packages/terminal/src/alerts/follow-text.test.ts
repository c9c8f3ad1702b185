import { expect, test } from 'bun:test';
import type { Subscription } from '@tickwire/client';
import { followOf, tellsText, whereText } from './follow-text.ts';

const FOLLOW: Subscription = {
  id: 'sub_1',
  publisher: { id: 'pub_1', name: 'goldsmith' },
  symbol: null,
  category: null,
  events: ['published', 'filled', 'closed'],
  mirror: false,
  delay_seconds: 0,
  deliver: [{ channel: 'in_app', destination: null, address: '' }],
  created_at: '2026-03-02T10:00:00.000Z',
};

test('says where messages go, with the delay of the tier', () => {
  expect(whereText(FOLLOW)).toBe('this terminal');
  const hook = { channel: 'webhook', destination: 'dst_1', address: 'https://example.org/…' } as const;
  expect(whereText({ deliver: [hook], delay_seconds: 60 })).toBe(
    'this terminal, Webhook https://example.org/…, 60 s later',
  );
  // Its destination was deleted.
  expect(whereText({ deliver: [], delay_seconds: 0 })).toBe('this terminal');
});

test('a mirror is not a follow', () => {
  const mirror = { ...FOLLOW, id: 'sub_2', mirror: true };
  expect(followOf([mirror, FOLLOW], 'pub_1')?.id).toBe('sub_1');
  expect(followOf([mirror], 'pub_1')).toBeUndefined();
  expect(followOf([FOLLOW], 'pub_2')).toBeUndefined();
  expect(tellsText(mirror)).toContain('mirror');
});
