import { expect, test } from 'bun:test';
import { isTimeZone, Preferences } from './preferences.ts';

const NAME = 'tickwire.preferences';
const DEFAULT = { appearance: 'system', timeZone: '', numbers: 'plain', alertSound: false } as const;

function shelf(kept: Record<string, string> = {}) {
  return {
    kept,
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => {
      kept[name] = text;
    },
  };
}

test('stores choices', () => {
  const place = shelf();
  const chosen = { appearance: 'light', timeZone: 'Asia/Tokyo', numbers: 'dot', alertSound: true } as const;
  expect(new Preferences(place).set(chosen)).toBe(true);
  expect(new Preferences(place).choices).toEqual(chosen);
});

test('an unknown value falls back to its default, and the others stay', () => {
  const of = (kept: unknown) => new Preferences(shelf({ [NAME]: JSON.stringify(kept) })).choices;
  expect(of({ appearance: 'sepia', timeZone: 'Europe/Berlin', numbers: 'comma' })).toEqual({
    ...DEFAULT,
    timeZone: 'Europe/Berlin',
    numbers: 'comma',
  });
  expect(of({ appearance: 'dark', timeZone: 'Mars/Olympus', numbers: 7 })).toEqual({ ...DEFAULT, appearance: 'dark' });
  for (const nonsense of [null, 7, 'dark', [], { timeZone: {} }]) expect(of(nonsense)).toEqual(DEFAULT);
  expect(new Preferences(shelf({ [NAME]: '{"appearance":' })).choices).toEqual(DEFAULT);
});

test('without storage, choices last until the page is closed, and `set` says so', () => {
  const full = { getItem: () => null, setItem: () => expect.unreachable() };
  for (const place of [undefined, full]) {
    const preferences = new Preferences(place);
    expect(preferences.set({ numbers: 'space' })).toBe(false);
    expect(preferences.choices.numbers).toBe('space');
  }
});

test('follows the choices of another tab', () => {
  const place = shelf();
  const [here, there] = [new Preferences(place), new Preferences(place)];
  const tabs = new EventTarget();
  here.follow(tabs);
  let told = 0;
  const end = new AbortController();
  here.onChange(end.signal, () => told++);
  const tell = (key: string | null) => tabs.dispatchEvent(Object.assign(new Event('storage'), { key }));

  there.set({ appearance: 'dark' });
  expect(here.choices.appearance).toBe('system');
  tell('tickwire.key');
  expect([told, here.choices.appearance]).toEqual([0, 'system']);
  tell(NAME);
  expect([told, here.choices.appearance]).toEqual([1, 'dark']);
  delete place.kept[NAME];
  tell(null);
  expect([told, here.choices.appearance]).toEqual([2, 'system']);
  end.abort();
  tell(NAME);
  expect(told).toBe(2);
});

test('accepts names of time zones, but no offsets', () => {
  expect(['', 'UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].map(isTimeZone)).toEqual(Array(4).fill(true));
  expect(['+02:00', 'Berlin', 'Europe/Berlin; x', ' '].map(isTimeZone)).toEqual(Array(4).fill(false));
});
