import { describe, expect, test } from 'bun:test';
import type { Alert } from '@tickwire/client';
import { AlertChange, AlertRequest } from '@tickwire/contract';
import { changeOf, firstRows, REPEATS, requestOf } from './alert-request.ts';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const condition = { type: 'price', cross: 'above', level: 1.2, side: 'bid' } as const;
const alert: Alert = {
  id: 'alr_1',
  symbol: 'EURUSD',
  condition,
  repeat: 'once',
  interval: null,
  cooldown_seconds: 0,
  expires_at: '2026-04-02T10:00:00.000Z',
  deliver: [],
  note: 'Sell half',
  state: 'active',
  not_checked: null,
  created_at: '2026-03-01T10:00:00.000Z',
  fired: 0,
  last_fired_at: null,
};

const form = (texts: Readonly<Record<string, string>>, deliver: readonly string[] = []) => ({
  text: (name: string) => texts[name] ?? '',
  all: (name: string) => (name === 'deliver' ? deliver : []),
});

describe('an alert', () => {
  test('is created as the form says', () => {
    const texts = {
      symbol: 'EURUSD',
      repeat: 'once_per_bar',
      interval: '1h',
      cooldown_seconds: '60',
      expires_at: '24',
    };
    const request = requestOf(form({ ...texts, note: ' Sell half ' }, ['dst_1']), 'EURUSD', condition, NOW);
    expect(request).toEqual({
      symbol: 'EURUSD',
      condition,
      repeat: 'once_per_bar',
      interval: '1h',
      cooldown_seconds: 60,
      expires_at: '2026-03-03T10:00:00.000Z',
      deliver: [{ destination: 'dst_1' }],
      note: 'Sell half',
    });
    expect(AlertRequest.safeParse(request).success).toBe(true);
  });

  test('without instrument, note, repetition and expiry has none of them', () => {
    const request = requestOf(form({}), '', { type: 'headline' }, NOW);
    const rest = { repeat: 'once', cooldown_seconds: 0, expires_at: null };
    expect<unknown>(request).toEqual({ condition: { type: 'headline' }, ...rest, deliver: [] });
  });

  test('keeps its condition and expiry if the form has not changed them, so that it does not start over', () => {
    const same = { side: 'bid', level: 1.2, cross: 'above', type: 'price' } as const;
    const change = changeOf(form({ repeat: 'once', expires_at: 'keep' }), same, alert, NOW);
    expect(change).toEqual({ repeat: 'once', cooldown_seconds: 0, deliver: [], note: null });
    expect(AlertChange.safeParse(change).success).toBe(true);
  });

  test('gets the new condition and no expiry', () => {
    const change = changeOf(form({ repeat: 'once' }), { ...condition, level: 1.3 }, alert, NOW);
    expect(change).toMatchObject({ condition: { ...condition, level: 1.3 }, expires_at: null });
  });

  test('fills the form: its own conditions, or the level of the address', () => {
    expect(firstRows(alert, new URLSearchParams())).toMatchObject([
      { id: 0, type: 'price', texts: { how: 'cross:above', level: '1.2', side: 'bid' } },
    ]);
    expect(firstRows(null, new URLSearchParams('level=1.085'))).toEqual([
      { id: 0, type: 'price', texts: { level: '1.085' } },
    ]);
    expect(firstRows(null, new URLSearchParams('type=spread'))[0]?.type).toBe('spread');
  });
});

test('the form says in a word or two how often an alert fires', () => {
  expect(REPEATS.map(({ text }) => text)).toEqual(['Once', 'Once per bar', 'Every time']);
});
