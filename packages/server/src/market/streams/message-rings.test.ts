import { describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type FlowEvent, type Side, type SideMethod, type TickEvent } from '@tickwire/engine';
import fc from 'fast-check';
import { FlowRing, flowBody } from './flow-messages.ts';
import { TickRing, tickBody } from './tick-messages.ts';

const INSTRUMENTS = CATALOGUE.slice(0, 4);
const price = fc.integer({ min: 1, max: 1e9 }).map((points) => points / 1e5);
const size = fc.integer({ min: 0, max: 1e12 }).map((points) => points / 1e8);
const time = fc.integer({ min: 0, max: 4e12 }).map(asEpochMs);
const instrument = fc.nat(INSTRUMENTS.length - 1);

describe('message rings of the market', () => {
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
