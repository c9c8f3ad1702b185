import { expect, test } from 'bun:test';
import { sessionsBetween } from './trading-sessions.ts';

const DAY_MS = 86_400_000;
const hoursOf = (day: number) =>
  sessionsBetween(day, day + DAY_MS).map(({ name, from, to }) => [
    name,
    (from - day) / 3_600_000,
    (to - day) / 3_600_000,
  ]);

test('trading sessions follow the clocks of their cities', () => {
  expect(hoursOf(Date.UTC(2026, 0, 14))).toEqual([
    ['Asia', 0, 9],
    ['London', 8, 17],
    ['New York', 13, 22],
  ]);
  // In July, London and New York have summer time; in the middle of March only New York has.
  expect(hoursOf(Date.UTC(2026, 6, 15)).map(([, from]) => from)).toEqual([0, 7, 12]);
  expect(hoursOf(Date.UTC(2026, 2, 18)).map(([, from]) => from)).toEqual([0, 8, 12]);
});

test('there is none at the weekend', () => {
  const saturday = Date.UTC(2026, 0, 17);
  expect(sessionsBetween(saturday, saturday + 2 * DAY_MS)).toEqual([]);
});
