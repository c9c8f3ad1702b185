// Whatever readers do, and whenever: nothing comes twice, nothing is missing undeclared, volumes add up, a slow reader costs
// no memory, and nothing is left of those who have gone.
import { afterEach, beforeEach, describe, test } from 'bun:test';
import fc from 'fast-check';
import { HandClock } from './hand-clock.fixture.ts';
import { conclude } from './model-conclusion.fixture.ts';
import { ModelGateway, SYMBOLS } from './model-gateway.fixture.ts';
import { ModelReader, type Wish } from './model-reader.fixture.ts';

type Step = (gateway: ModelGateway) => void | Promise<void>;

const clock = new HandClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

const CHANNELS = ['market', 'market', 'orderflow', 'signals'] as const;
const reader = fc.nat(CHANNELS.length - 1);
const symbol = fc.constantFrom(...SYMBOLS);
const symbols = fc.uniqueArray(symbol, { minLength: 1 });

const named = (name: string, step: Step): Step => Object.assign(step, { [fc.toStringMethod]: () => name });

const aWish = fc.record({
  symbols,
  seq: fc.boolean(),
  latest: fc.boolean(),
  rate: fc.constantFrom(undefined, undefined, 1, 10),
  timeframe: fc.constantFrom(undefined, undefined, '1m' as const, '5m' as const),
  closes: fc.boolean(),
});

/** A wish as a channel can fulfil it. */
function fitting(channel: string, { rate, timeframe, ...wish }: Wish): Wish {
  if (channel === 'signals') return { ...wish, latest: false };
  return { ...wish, closes: false, ...(rate && { rate }), ...(channel === 'market' && timeframe && { timeframe }) };
}

const subscribe = (who: number, wish: Wish): Step =>
  named(`subscribe(${who}, ${JSON.stringify(wish)})`, ({ readers }) =>
    readers[who]!.subscribe(fitting(CHANNELS[who]!, wish)),
  );

const aStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(symbol, fc.integer({ min: 1, max: 60 }), fc.boolean()).map(([of, count, late]) =>
      named(`quotes(${of}, ${count}, ${late})`, (gateway) => {
        for (let at = 0; at < count; at++) gateway.quote(of, (at % 5) + 1, late && at === 0);
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(symbol, fc.integer({ min: 1, max: 60 })).map(([of, count]) =>
      named(`trades(${of}, ${count})`, (gateway) => {
        for (let at = 0; at < count; at++) gateway.trade(of, (at % 5) + 0.25, at % 3 === 0 ? 'buy' : 'sell');
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(symbol, fc.integer({ min: 1, max: 60 })).map(([of, count]) =>
      named(`signals(${of}, ${count})`, (gateway) => {
        for (let at = 0; at < count; at++) gateway.signal(of, at % 3 === 1);
      }),
    ),
  },
  { weight: 6, arbitrary: fc.tuple(reader, aWish).map(([who, wish]) => subscribe(who, wish)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(reader, symbols, fc.boolean())
      .map(([who, of, bars]) =>
        named(`unsubscribe(${who}, ${of}, ${bars})`, ({ readers }) => readers[who]!.unsubscribe(of, bars)),
      ),
  },
  {
    weight: 3,
    arbitrary: reader.map((who) =>
      named(`stall(${who})`, ({ readers }) => {
        readers[who]!.reading = false;
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: reader.map((who) =>
      named(`readOn(${who})`, ({ readers }) => {
        readers[who]!.reading = true;
        readers[who]!.read(1e9);
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(reader, fc.integer({ min: 1, max: 80 }))
      .map(([who, count]) => named(`read(${who}, ${count})`, ({ readers }) => readers[who]!.read(count))),
  },
  { weight: 5, arbitrary: fc.constant(named('sweep()', (gateway) => gateway.sweep())) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(1, 3, 30, 400, 61_000).map((ms) =>
      named(`pass(${ms})`, async (gateway) => {
        await gateway.clock.pass(ms);
        if (ms > 60_000) gateway.minute();
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: reader.map((who) => named(`disconnect(${who})`, ({ readers }) => readers[who]!.disconnect())),
  },
  {
    weight: 2,
    arbitrary: reader.map((who) =>
      named(`connect(${who})`, ({ readers }) => {
        readers[who]!.read(1e9);
        readers[who]!.connect();
      }),
    ),
  },
);

async function play(steps: readonly Step[]): Promise<void> {
  const gateway = new ModelGateway(clock);
  for (const channel of CHANNELS) new ModelReader(gateway, channel);
  for (const step of steps) {
    await step(gateway);
    await clock.turn();
  }
  await conclude(gateway);
}

describe('the gateway as a model', () => {
  test('whatever happens, nothing is lost undeclared, twice or kept', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...CHANNELS.map(() => aWish)),
        fc.array(aStep, { maxLength: 80, size: 'max' }),
        async (wishes, steps) => {
          await play([...wishes.map((wish, who) => subscribe(who, wish)), ...steps]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
