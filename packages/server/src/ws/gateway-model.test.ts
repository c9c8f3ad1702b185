// Random runs of clients against the gateway: no message comes twice, none is missing without a gap notice, volumes add up, a
// slow client costs no memory, and nothing remains of a closed connection.
import { afterEach, beforeEach, describe, test } from 'bun:test';
import fc from 'fast-check';
import { ManualClock } from '../../testing/ws/manual-clock.fixture.ts';
import { finishAndCheck } from '../../testing/ws/model-checks.fixture.ts';
import { ModelClient, type SubscribeOptions } from '../../testing/ws/model-client.fixture.ts';
import { ModelGateway, SYMBOLS } from '../../testing/ws/model-gateway.fixture.ts';

type Step = (gateway: ModelGateway<ModelClient>) => void | Promise<void>;

const clock = new ManualClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

const CHANNELS = ['market', 'market', 'orderflow', 'signals'] as const;
const client = fc.nat(CHANNELS.length - 1);
const symbol = fc.constantFrom(...SYMBOLS);
const symbols = fc.uniqueArray(symbol, { minLength: 1 });

const named = (name: string, step: Step): Step => Object.assign(step, { [fc.toStringMethod]: () => name });

const anyOptions = fc.record({
  symbols,
  seq: fc.boolean(),
  latest: fc.boolean(),
  rate: fc.constantFrom(undefined, undefined, 1, 10),
  timeframe: fc.constantFrom(undefined, undefined, '1m' as const, '5m' as const),
  closes: fc.boolean(),
});

/** Drops the options that the channel does not support. */
function supported(channel: string, { rate, timeframe, ...options }: SubscribeOptions): SubscribeOptions {
  if (channel === 'signals') return { ...options, latest: false };
  return { ...options, closes: false, ...(rate && { rate }), ...(channel === 'market' && timeframe && { timeframe }) };
}

const subscribe = (who: number, options: SubscribeOptions): Step =>
  named(`subscribe(${who}, ${JSON.stringify(options)})`, ({ clients }) =>
    clients[who]!.subscribe(supported(CHANNELS[who]!, options)),
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
  { weight: 6, arbitrary: fc.tuple(client, anyOptions).map(([who, options]) => subscribe(who, options)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(client, symbols, fc.boolean())
      .map(([who, of, bars]) =>
        named(`unsubscribe(${who}, ${of}, ${bars})`, ({ clients }) => clients[who]!.unsubscribe(of, bars)),
      ),
  },
  {
    weight: 3,
    arbitrary: client.map((who) =>
      named(`stall(${who})`, ({ clients }) => {
        clients[who]!.reading = false;
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: client.map((who) =>
      named(`readOn(${who})`, ({ clients }) => {
        clients[who]!.reading = true;
        clients[who]!.read(1e9);
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(client, fc.integer({ min: 1, max: 80 }))
      .map(([who, count]) => named(`read(${who}, ${count})`, ({ clients }) => clients[who]!.read(count))),
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
    arbitrary: client.map((who) => named(`disconnect(${who})`, ({ clients }) => clients[who]!.disconnect())),
  },
  {
    weight: 2,
    arbitrary: client.map((who) =>
      named(`connect(${who})`, ({ clients }) => {
        clients[who]!.read(1e9);
        clients[who]!.connect();
      }),
    ),
  },
);

async function run(steps: readonly Step[]): Promise<void> {
  const gateway = new ModelGateway<ModelClient>(clock);
  for (const channel of CHANNELS) new ModelClient(gateway, channel);
  for (const step of steps) {
    await step(gateway);
    await clock.turn();
  }
  await finishAndCheck(gateway);
}

describe('gateway model', () => {
  test('nothing is lost without a notice, sent twice or kept, whatever clients do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...CHANNELS.map(() => anyOptions)),
        fc.array(aStep, { maxLength: 80, size: 'max' }),
        async (initial, steps) => {
          await run([...initial.map((options, who) => subscribe(who, options)), ...steps]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
