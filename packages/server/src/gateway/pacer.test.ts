import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import fc from 'fast-check';
import { HandClock } from './hand-clock.fixture.ts';
import { PacedLine } from './line.ts';
import { Pacer } from './pacer.ts';

const clock = new HandClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

const lineOf = (rate: number): PacedLine =>
  new PacedLine({ symbol: asSymbol('EURUSD'), topic: `${rate}`, epoch: 'e', newest: () => null }, rate);

describe('the pacer', () => {
  test('whatever happens, a line speaks no more often than asked, and its newest is said in time', async () => {
    const rates = [0.5, 4, 20, 1_000];
    const happening = fc.tuple(fc.nat(rates.length - 1), fc.integer({ min: 0, max: 300 }));
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
        const lines = rates.map(lineOf);
        const said = lines.map((): { at: number; seq: number }[] => []);
        const touched = lines.map(() => 0);
        const pacer = new Pacer(
          (line) => said[lines.indexOf(line)]!.push({ at: clock.now, seq: line.pending }),
          () => clock.now,
        );
        for (const [seq, [which, ms]] of happenings.entries()) {
          pacer.touch(lines[which]!, seq + 1);
          pacer.run();
          touched[which] = seq + 1;
          await clock.pass(ms);
        }
        await clock.pass(2_000 + 20);
        for (const [which, of] of said.entries()) {
          expect(of.at(-1)?.seq ?? 0).toBe(touched[which]!);
          for (let at = 1; at < of.length; at++)
            expect(of[at]!.at - of[at - 1]!.at).toBeGreaterThanOrEqual(1000 / rates[which]!);
        }
        expect(clock.waiting).toBe(0);
      }),
    );
  });

  test('says the newest at most 10 ms after its time', async () => {
    const line = lineOf(4);
    const said: number[] = [];
    const pacer = new Pacer(
      () => said.push(clock.now),
      () => clock.now,
    );
    pacer.touch(line, 1);
    pacer.run();
    await clock.pass(3);
    pacer.touch(line, 2);
    pacer.run();
    await clock.pass(500);
    expect(said).toHaveLength(2);
    expect(said[1]! - said[0]!).toBeWithin(250, 261);
  });

  test('what is forgotten is not said, and no timer goes on for it', async () => {
    const line = lineOf(4);
    let said = 0;
    const pacer = new Pacer(
      () => said++,
      () => clock.now,
    );
    for (const seq of [1, 2]) {
      pacer.touch(line, seq);
      pacer.run();
    }
    pacer.forget(line);
    await clock.pass(1_000);
    expect([said, line.pending, clock.waiting]).toEqual([1, 0, 0]);
  });
});
