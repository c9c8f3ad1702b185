import { expect, test } from 'bun:test';
import { nearestName, withoutSynonym } from './parameter-names.ts';

test.each([
  ['timefrme', ['bars', 'timeframe', 'from'], 'timeframe'],
  ['LIMIT', ['list', 'limit'], 'limit'],
  ['condition.lvel', ['type', 'level'], 'condition.level'],
  ['timeframe', ['value', 'interval', 'time'], 'interval'],
  ['x', [], null],
])('the name nearest to %s of %j is %s', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test('interval and timeframe are the same parameter, unless both are known', () => {
  expect(withoutSynonym({ interval: '5m', bars: '1' }, ['timeframe', 'bars'])).toEqual({ timeframe: '5m', bars: '1' });
  expect(withoutSynonym({ timeframe: '5m' }, ['interval'])).toEqual({ interval: '5m' });
  expect(withoutSynonym({ timeframe: '5m', interval: '5m' }, ['interval'])).toEqual({ interval: '5m' });
  expect(() => withoutSynonym({ timeframe: '5m', interval: '1h' }, ['interval'])).toThrow('timeframe must be equal');
  expect(withoutSynonym({ timeframe: '5m', interval: '1h' }, ['interval', 'timeframe'])).toEqual({
    timeframe: '5m',
    interval: '1h',
  });
  expect(withoutSynonym({ timeframe: '5m' }, ['limit'])).toEqual({ timeframe: '5m' });
});
