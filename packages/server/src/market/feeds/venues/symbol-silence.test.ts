import { expect, test } from 'bun:test';
import { asSymbol, HOUR_MS } from '@tickwire/engine';
import { SymbolSilence } from './symbol-silence.ts';

const [BTC, ETH] = [asSymbol('BTC'), asSymbol('ETH')];

function watched(): SymbolSilence {
  const silence = new SymbolSilence(60_000);
  restart(silence, 0);
  return silence;
}
function restart(silence: SymbolSilence, now: number): void {
  silence.clear();
  silence.add(BTC, now);
  silence.add(ETH, now);
}

test('names a symbol that is silent for longer than the limit', () => {
  const silence = watched();
  silence.heard(ETH, 50_000);
  expect(silence.check(60_000)).toBeNull();
  expect(silence.check(60_001)).toBe('BTC silent for 60 s');
});

test('doubles the limit of a quiet symbol up to an hour, and not that of others', () => {
  const silence = watched();
  const limits: number[] = [];
  let now = 0;
  for (let n = 0; n < 9; n++) {
    restart(silence, now);
    const began = now;
    while (silence.check(now) === null) {
      now += 1_000;
      silence.heard(ETH, now);
    }
    limits.push(now - 1_000 - began);
  }
  expect(limits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((minutes) => minutes * 60_000));
  expect(limits.at(-1)).toBe(HOUR_MS);
  restart(silence, now);
  silence.heard(BTC, now + 60_001);
  expect(silence.check(now + 60_001)).toBe('ETH silent for 60 s');
});

test('does not watch a symbol that is not subscribed to, or that the venue refuses', () => {
  const silence = watched();
  silence.remove(BTC);
  silence.heard(BTC, 1);
  silence.heard(ETH, 70_000);
  expect(silence.check(100_000)).toBeNull();
  silence.clear();
  expect(silence.check(10 * HOUR_MS)).toBeNull();
});
