import { expect, test } from 'bun:test';
import { freeColor, lineLook } from './compare-line.ts';

test('a compared instrument is named at the end of its line', () => {
  expect(lineLook('GBPUSD', '#a06cf0')).toMatchObject({
    ...{ title: 'GBPUSD', lastValueVisible: true, color: '#a06cf0' },
  });
});

test('each compared instrument has a colour of its own', () => {
  const taken: string[] = [];
  for (let line = 0; line < 4; line++) taken.push(freeColor(taken));
  expect(new Set(taken).size).toBe(4);
});
