// The test of decision 0009: the same fake exchange and the same failures for tardis-dev, ccxt and the connectors of this
// repository. Run with `npm ci --prefix bench/venue-libraries && node packages/server/bin/bun.mjs bench/venue-libraries/run.mjs`.
// Each scenario runs in a new process. `lost`: trades that never arrived; `undeclared`: trades lost in a scenario in which the
// library reported nothing; `twice`: trades delivered more than once; `late`: trades delivered after a newer one.
import { fileURLToPath } from 'node:url';
import { fakeBinance } from '../../packages/server/testing/feeds/fake-binance.fixture.ts';
import { fakeCoinbase } from '../../packages/server/testing/feeds/fake-coinbase.fixture.ts';
import { FakeVenue } from '../../packages/server/testing/feeds/fake-venue.fixture.ts';

const STALE_MS = 2_000;
const TIMEOUT_MS = 15_000;
/** A client whose event loop is blocked for this long has failed. */
const STUCK_MS = 60_000;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const NODE = process.env.NODE ?? 'node';

const CONTENDERS = [
  { name: 'tardis-dev, Node', command: [NODE, here('client-tardis.mjs')] },
  { name: 'tardis-dev, Bun', command: [process.execPath, here('client-tardis.mjs')] },
  { name: 'ccxt, Node', command: [NODE, here('client-ccxt.mjs')], limit: 1_000 },
  { name: 'ccxt, Bun', command: [process.execPath, here('client-ccxt.mjs')], limit: 1_000 },
  {
    name: 'ccxt, Bun, cache 100,000',
    command: [process.execPath, here('client-ccxt.mjs')],
    limit: 100_000,
    only: /burst/,
  },
  { name: 'own, Bun', command: [process.execPath, here('client-own.mjs')] },
];
const EXCHANGES = [
  { exchange: 'binance', protocol: fakeBinance, symbol: 'BTCUSDT' },
  { exchange: 'coinbase', protocol: fakeCoinbase, symbol: 'BTC-USD' },
];

const reconnected = async (fake, connections) => {
  const deadline = Date.now() + TIMEOUT_MS;
  while (fake.connections <= connections && Date.now() < deadline) await Bun.sleep(20);
  await Bun.sleep(400);
};

const SCENARIOS = {
  'burst of 50,000': async (fake, symbol) => {
    fake.trade(symbol, 50_000);
  },
  // The consumer is busy for 100 ms between two turns (tardis-dev: every 1,000 trades; own: never awaited).
  'burst, busy reader': async (fake, symbol) => {
    fake.trade(symbol, 50_000);
  },
  'cut in a burst': async (fake, symbol) => {
    const { connections } = fake;
    fake.trade(symbol, 25_000);
    await Bun.sleep(50);
    fake.cut('without close frame');
    fake.trade(symbol, 25_000);
    await reconnected(fake, connections);
  },
  'cut, close frame': async (fake, symbol) => {
    const { connections } = fake;
    fake.cut('with close frame');
    fake.trade(symbol, 500);
    await reconnected(fake, connections);
  },
  stall: async (fake, symbol) => {
    const { connections } = fake;
    fake.stall();
    fake.trade(symbol, 500);
    await reconnected(fake, connections);
  },
  duplicates: async (fake, symbol) => {
    fake.trade(symbol, 1_000, 'twice');
  },
  'out of order': async (fake, symbol) => {
    fake.trade(symbol, 1_000, 'shuffled');
  },
  'gap of 500 ids': async (fake, symbol) => {
    fake.trade(symbol, 500, 'lost');
  },
  garbage: async (fake, symbol) => {
    const { connections } = fake;
    fake.sendInvalid(symbol);
    fake.trade(symbol, 1_000);
    await Bun.sleep(1_000);
    if (fake.clients === 0) await reconnected(fake, connections);
  },
  restart: async (fake, symbol) => {
    const { connections } = fake;
    await fake.down();
    fake.trade(symbol, 500);
    await Bun.sleep(500);
    fake.up();
    await reconnected(fake, connections);
  },
};

class Client {
  #child;
  #lines;
  constructor(command, settings) {
    this.#child = Bun.spawn([...command, JSON.stringify(settings)], {
      cwd: here('.'),
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: process.env.VERBOSE ? 'inherit' : 'ignore',
    });
    this.#lines = linesOf(this.#child.stdout);
  }
  async ask(command) {
    this.#child.stdin.write(`${command}\n`);
    this.#child.stdin.flush();
    const stuck = Bun.sleep(STUCK_MS).then(() => ({ done: true }));
    for (;;) {
      const { value, done } = await Promise.race([this.#lines.next(), stuck]);
      if (done) return null;
      if (value.startsWith('@')) return JSON.parse(value.slice(1));
    }
  }
  async end() {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }
}

async function* linesOf(stream) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

async function trial(contender, { exchange, protocol, symbol }, scenario) {
  await using fake = new FakeVenue(protocol());
  const { wsUrl, restUrl } = fake;
  const client = new Client(contender.command, {
    exchange,
    wsUrl,
    restUrl,
    symbol,
    staleMs: STALE_MS,
    limit: contender.limit,
    pauseMs: scenario.includes('busy') ? 100 : 0,
  });
  try {
    const began = Date.now();
    let first = null;
    // Send one trade at a time until one arrives; from then on nothing may be missing.
    while (first === null) {
      if (Date.now() - began > TIMEOUT_MS) return { failed: 'never delivered a trade' };
      await Bun.sleep(100);
      fake.trade(symbol, 1);
      const state = await client.ask('state');
      if (!state) return { failed: 'ended, or stuck for 60 s' };
      first = state.last;
    }
    await SCENARIOS[scenario](fake, symbol);
    fake.trade(symbol, 10);
    const wanted = fake.tape.of(symbol).at(-1).id;
    const deadline = Date.now() + TIMEOUT_MS;
    for (let state = null; Date.now() < deadline; await Bun.sleep(100)) {
      const before = state;
      state = await client.ask('state');
      if (!state) return { failed: 'ended, or stuck for 60 s' };
      if (state.last >= wanted && before?.count === state.count) break;
    }
    // A client that delivers a trade only when the next one arrives must not seem to have lost the last ones.
    for (let n = 0; n < 10; n++) {
      await Bun.sleep(150);
      fake.trade(symbol, 1);
    }
    await Bun.sleep(500);
    const sum = await client.ask('sum');
    if (!sum) return { failed: 'ended, or stuck for 60 s' };
    return {
      ...tally(
        sum.ids,
        fake.tape
          .of(symbol)
          .map((trade) => trade.id)
          .filter((id) => id >= first && id <= wanted),
      ),
      ...sum,
    };
  } finally {
    await client.end();
  }
}

function tally(ids, truth) {
  const counts = new Map();
  let late = 0;
  let newest = 0;
  for (const id of ids) {
    if (id < newest && !counts.has(id)) late++;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    newest = Math.max(newest, id);
  }
  return {
    lost: truth.filter((id) => !counts.has(id)).length,
    twice: [...counts.values()].filter((count) => count > 1).length,
    late,
  };
}

const only = process.argv[2];
for (const venue of EXCHANGES) {
  console.log(`\n### ${venue.exchange}\n`);
  console.log('| | scenario | lost | undeclared | twice | late | declared | CPU s | peak MB |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |');
  for (const contender of CONTENDERS) {
    if (only && !contender.name.includes(only)) continue;
    for (const scenario of Object.keys(SCENARIOS)) {
      if (contender.only && !contender.only.test(scenario)) continue;
      const result = await trial(contender, venue, scenario);
      if (result.failed) {
        console.log(`| ${contender.name} | ${scenario} | ${result.failed} | | | | | | |`);
        continue;
      }
      const { lost, twice, late, declared, cpuS, peakMb } = result;
      const undeclared = declared.length === 0 ? lost : 0;
      const words = declared.length === 0 ? '' : `${declared.length}: ${declared[0].slice(0, 60)}`;
      console.log(
        `| ${contender.name} | ${scenario} | ${lost} | ${undeclared} | ${twice} | ${late} | ${words} | ${cpuS.toFixed(2)} | ${peakMb.toFixed(0)} |`,
      );
    }
  }
}
process.exit(0);
