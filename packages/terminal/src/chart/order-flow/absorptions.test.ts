import { expect, test } from 'bun:test';
import { absorptionText } from '../../services/absorption-text.ts';
import { Absorptions } from './absorptions.ts';

test('keeps the latest absorptions of each instrument, and forgets the instrument that reported least recently', () => {
  const absorptions = new Absorptions();
  for (let time = 0; time < 250; time++) absorptions.add('BTCUSD', { time, side: 'buy', price: 1 });
  expect(absorptions.of('BTCUSD')).toHaveLength(200);
  expect(absorptions.of('BTCUSD')[0]?.time).toBe(50);
  for (let at = 0; at < 50; at++) absorptions.add(`SYM${at}`, { time: at, side: 'sell', price: 1 });
  expect(absorptions.of('BTCUSD')).toEqual([]);
  expect(absorptions.of('SYM0')).toHaveLength(1);
});

test('says which side was absorbed: the one that traded against the passive side', () => {
  expect(absorptionText({ side: 'sell', price: 1.085 }, 4)).toBe(
    'Buyers were absorbed: many bought at 1.0850, the price did not rise',
  );
  expect(absorptionText({ side: 'buy', price: 1.085 }, 4)).toBe(
    'Sellers were absorbed: many sold at 1.0850, the price did not fall',
  );
});
