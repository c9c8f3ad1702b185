import { describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type FlowEvent, type Side, type SideMethod, type TickEvent } from '@tickwire/engine';
import fc from 'fast-check';
import { flowBody, tickBody } from './encode.ts';
import { EventRing, FlowRing, TickRing } from './message-ring.ts';

const INSTRUMENTS = CATALOGUE.slice(0, 4);
const price = fc.integer({ min: 1, max: 1e9 }).map((points) => points / 1e5);
const size = fc.integer({ min: 0, max: 1e12 }).map((points) => points / 1e8);
const time = fc.integer({ min: 0, max: 4e12 }).map(asEpochMs);
const instrument = fc.nat(INSTRUMENTS.length - 1);

describe('message ring', () => {
  test('keeps the newest entries, reports how far it has lost, and finds the first entry after a seq', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
        (capacity, before, steps) => {
          const ring = new EventRing<string>(capacity, before);
          const all: number[] = [];
          for (const step of steps) {
            const seq = (all.at(-1) ?? before) + step;
            all.push(seq);
            ring.add(seq, `item ${seq}`);
          }
          const kept = all.slice(-capacity);
          expect(ring.lostUntil).toBe(all.at(-capacity - 1) ?? before);
          for (let seq = before - 1; seq <= (all.at(-1) ?? before) + 1; seq++) {
            const found: string[] = [];
            for (let at = ring.firstAfter(seq); at < ring.end; at++) found.push(ring.itemAt(at));
            expect(found).toEqual(kept.filter((each) => each > seq).map((each) => `item ${each}`));
          }
        },
      ),
    );
  });

  test('encodes a stored tick as it was sent', () => {
    const aTick = fc.record({ instrument, bid: price, ask: price, time, volume: size });
    fc.assert(
      fc.property(fc.array(aTick, { minLength: 1, maxLength: 20 }), (ticks) => {
        const ring = new TickRing(INSTRUMENTS, 7, 0);
        const texts = ticks.map(({ instrument: at, ...rest }, seq) => {
          const { symbol, digits } = INSTRUMENTS[at]!;
          const tick: TickEvent = { kind: 'tick', symbol, bidSize: 1, askSize: 1, ...rest };
          ring.add(seq + 1, seq, at, tick);
          return tickBody(tick, tick.volume, digits);
        });
        for (let at = ring.start; at < ring.end; at++) {
          expect(ring.bodyAt(at)).toBe(texts[at]!);
          expect([ring.seqAt(at), ring.prevAt(at), ring.topicAt(at)]).toEqual([at + 1, at, ticks[at]!.instrument]);
        }
      }),
    );
  });

  test('encodes a stored order-flow message as it was sent', () => {
    const aFlow = fc.record({
      instrument,
      price,
      size,
      time,
      side: fc.constantFrom<Side>('buy', 'sell'),
      sideMethod: fc.constantFrom<SideMethod | null>(null, 'quote_rule', 'tick_rule'),
      cumulativeDelta: fc.integer({ min: -1e12, max: 1e12 }).map((points) => points / 1e8),
      imbalance: fc.integer({ min: -1e4, max: 1e4 }).map((points) => points / 1e4),
      absorption: fc.constantFrom<Side | null>(null, 'buy', 'sell'),
    });
    fc.assert(
      fc.property(fc.array(aFlow, { minLength: 1, maxLength: 20 }), (flows) => {
        const ring = new FlowRing(INSTRUMENTS, 7, 0);
        const texts = flows.map(({ instrument: at, ...rest }, seq) => {
          const flow: FlowEvent = { kind: 'flow', symbol: INSTRUMENTS[at]!.symbol, ...rest };
          ring.add(seq + 1, seq, at, flow);
          return flowBody(flow, flow.side === 'sell' ? flow.size : 0, flow.side === 'buy' ? flow.size : 0);
        });
        for (let at = ring.start; at < ring.end; at++) expect(ring.bodyAt(at)).toBe(texts[at]!);
      }),
    );
  });
});
