import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ActivityProfile } from './activity-profile.ts';
import { FactorPath } from './factor-path.ts';
import { PUBLIC_NOISE } from './noise.ts';
import { UNITS_PER_DAY, UNITS_PER_MINUTE } from './time-grid.ts';
import { Volatility } from './volatility.ts';

const START = Date.parse('2026-05-04T00:00:00Z') / 125;
const PROFILE = new ActivityProfile('europe', false);
const NOISE = PUBLIC_NOISE.named('path');
const fresh = (): FactorPath => new FactorPath(NOISE, 0.01, new Volatility(NOISE, PROFILE));

describe('FactorPath', () => {
  test('has the same value at a time whatever was read before', () => {
    const worn = fresh();
    const anyUnit = fc.integer({ min: 0, max: 3e10 });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyUnit, fc.integer({ min: START, max: START + 5000 })), { minLength: 1 }),
        (units) => {
          for (const unit of units) expect(worn.at(unit)).toBe(fresh().at(unit));
        },
      ),
    );
  });

  test('ends each unit where the next one starts, also across anchors', () => {
    const path = fresh();
    const anchor = 214 * 2 ** 26;
    for (const from of [START, anchor - 50])
      for (let unit = from; unit < from + 1000; unit++) {
        path.seek(unit);
        expect(path.right).toBe(fresh().at(unit + 1));
      }
  });

  test('a day of minutes has the values of single reads, whatever was read before and also across anchors', () => {
    const worn = fresh();
    const minutes = new Float64Array(1441);
    const anchor = Math.floor((214 * 2 ** 26) / UNITS_PER_DAY) * UNITS_PER_DAY;
    for (let day = 0; day < 8; day++)
      for (const from of [START, anchor - 3 * UNITS_PER_DAY]) {
        const first = from + day * UNITS_PER_DAY;
        worn.readMinutes(first, minutes);
        const single = fresh();
        expect([...minutes]).toEqual(Array.from(minutes, (_, minute) => single.at(first + minute * UNITS_PER_MINUTE)));
      }
  });

  test('has its daily volatility at every scale and uncorrelated steps', () => {
    const path = fresh();
    for (const step of [80, 480, 7200]) {
      let squares = 0;
      let products = 0;
      let before = 0;
      const steps = (20 * UNITS_PER_DAY) / step;
      for (let at = 0; at < steps; at++) {
        const unit = START + at * step;
        const change = path.at(unit + step) - path.at(unit);
        squares += change * change;
        products += change * before;
        before = change;
      }
      const daily = Math.sqrt((squares / steps) * (UNITS_PER_DAY / step));
      expect(daily).toBeGreaterThan(0.007);
      expect(daily).toBeLessThan(0.014);
      expect(Math.abs(products / squares)).toBeLessThan(0.08);
    }
  });
});
