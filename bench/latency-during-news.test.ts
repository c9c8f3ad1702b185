// Latency of a tick from its source to a reader while a thousand headlines are ingested and scored.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { killLeftovers, ServiceProcess } from '../packages/server/testing/process.fixture.ts';
import { makeKey, temporaryFolder } from '../packages/server/testing/service.fixture.ts';
import { isData, StreamClient } from '../packages/server/testing/stream-client.fixture.ts';

const HEADLINES = 1_000;
/** Each round is a period without news followed by one with news. */
const ROUNDS = 5;
const TICK_EVERY_MS = 3;
const NEWS_MS = 120_000;
/** Connections that push ticks: each may send a hundred messages per second. */
const SOURCES = 6;
/** Allowed ratio; the second applies if the periods without news differ by more than the first, or if cores are few. */
const ALLOWED = 1.2;
const ALLOWED_IN_NOISE = 2;
/** A machine whose periods without news differ by more can show no smaller rise than that. */
const JUDGED_SPREAD = 5;
/** A rise, or such a spread, is measured again: all rounds are judged together. */
const ATTEMPTS = 3;
/** The service, the model and this client need a core each, and everything else another. */
const FEW_CORES = availableParallelism() < 4;

const data = temporaryFolder();
afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

const WORDS =
  'mine bank vault refinery coin jeweller reserve dealer auction smelter futures option broker harbour envoy cabinet ' +
  'orchard glacier tunnel satellite bakery parliament union shipyard museum ferry turbine canal festival quarry';
const word = (): string => WORDS.split(' ')[Math.floor(Math.random() * 30)]!;
/** Titles differ enough that curation does not treat them as duplicates. */
const title = (at: number): string =>
  `Gold ${word()} ${word()} ${word()} and ${word()} ${word()} ${word()} ${at} rises`;
const headlines = (round: number): { title: string; id: string }[] =>
  Array.from({ length: HEADLINES }, (_, index) => round * HEADLINES + index).map((at) => ({
    title: title(at),
    id: `${at}`,
  }));

/** With few cores, the model also runs during the periods without news, in another process, so that only the service differs. */
class ScoringProcess {
  #scored = Promise.withResolvers<number>();
  readonly #child = Bun.spawn([process.execPath, join(import.meta.dir, 'load/scoring-process.fixture.ts')], {
    ipc: (scored: number) => this.#scored.resolve(scored),
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  async score(round: number): Promise<void> {
    this.#scored = Promise.withResolvers<number>();
    this.#child.send(headlines(round).map((each) => each.title));
    const ended = this.#child.exited.then((status) => {
      throw new Error(`the scorer beside the service ended with status ${status}`);
    });
    expect(await Promise.race([this.#scored.promise, ended])).toBe(HEADLINES);
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
const median = (values: readonly number[]): number => quantile(values, 0.5);

test('the p99 latency from tick to socket rises by at most 20 % during news, or 100 % on a noisy machine', async () => {
  const { key } = await makeKey(data, 'premium', ['read', 'ingest']);
  const service = await ServiceProcess.start({ data, feeds: 'push' });
  const ws = service.url.replace(/^http/, 'ws');
  const open = (channel: string): Promise<StreamClient> => StreamClient.open(`${ws}/ws/${channel}`, key);
  const [reader, news] = [await open('market'), await open('news')];
  const sources = await Promise.all(Array.from({ length: SOURCES }, () => open('ingest')));
  await reader.ask({ action: 'subscribe', symbols: ['BTCUSD'] });
  await news.ask({ action: 'subscribe' });

  /** Every tick has a unique price that identifies it. */
  let price = 50_000;
  const sendTick = (): number => {
    price = Math.round((price + 0.01) * 100) / 100;
    const source = sources[Math.round(price * 100) % SOURCES]!;
    source.sendRaw(JSON.stringify({ symbol: 'BTCUSD', time: Date.now(), bid: price, ask: price + 10 }));
    return price;
  };
  const p99During = async (work: Promise<unknown>): Promise<number> => {
    const sentAt = new Map<number, number>();
    const taken: number[] = [];
    let last: number | null = null;
    const receive = (async () => {
      for (let bid: number | null = null; bid === null || bid !== last; ) {
        bid = Number((await reader.next(isData)).bid);
        const at = sentAt.get(bid);
        if (at !== undefined) taken.push(performance.now() - at);
      }
    })();
    let going = true;
    void work.finally(() => {
      going = false;
    });
    while (going) {
      const at = performance.now();
      sentAt.set(sendTick(), at);
      await Bun.sleep(TICK_EVERY_MS);
    }
    last = sendTick();
    await receive;
    expect(taken.length).toBeGreaterThan(Math.max(300, sentAt.size * 0.99));
    return quantile(taken, 0.99);
  };

  const published = async (round: number): Promise<void> => {
    const body = headlines(round).map((each) => JSON.stringify(each));
    const response = await fetch(`${service.url}/ingest/news`, {
      method: 'POST',
      body: body.join('\n'),
      headers: { 'X-API-Key': key },
    });
    expect(((await response.json()) as { accepted: number }).accepted).toBe(HEADLINES);
    await news.take(HEADLINES * 0.95, isData, NEWS_MS);
  };

  // One round without measuring: compiles the code and shows how long a thousand headlines take.
  const scoring = FEW_CORES ? new ScoringProcess() : null;
  await scoring?.score(0);
  const began = performance.now();
  await p99During(published(0));
  const lasting = performance.now() - began;
  const format = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(' ');
  const [without, beside]: [number[], number[]] = [[], []];
  /** Whether all rounds so far show no rise, and the machine was quiet enough to tell. */
  const judge = (): { readonly ratio: number; readonly limit: number; readonly isClear: boolean } => {
    // Compare within each round, so that a temporary disturbance affects both periods.
    const ratio = median(beside.map((ms, at) => ms / without[at]!));
    const spread = Math.max(...without) / Math.min(...without);
    console.log(
      `tick to socket, p99 in ms: without news ${format(without)}; while ${HEADLINES} headlines are scored in ` +
        `${(lasting / 1000).toFixed(1)} s ${format(beside)}; median of the rounds ×${ratio.toFixed(2)}, spread without ×${spread.toFixed(2)}`,
    );
    const isNoisy = spread > JUDGED_SPREAD;
    const inNoise = isNoisy ? spread : ALLOWED_IN_NOISE;
    const limit = FEW_CORES || spread > ALLOWED ? inNoise : ALLOWED;
    return { ratio, limit, isClear: ratio < (isNoisy ? ALLOWED_IN_NOISE : limit) };
  };
  let judged = { ratio: Number.POSITIVE_INFINITY, limit: 0, isClear: false };
  for (let attempt = 1; attempt <= ATTEMPTS && !judged.isClear; attempt++) {
    for (let at = 0; at < ROUNDS; at++) {
      const round = without.length + 1;
      without.push(await p99During(scoring ? scoring.score(round) : Bun.sleep(lasting)));
      beside.push(await p99During(published(round)));
    }
    judged = judge();
  }
  await scoring?.stop();
  for (const stream of [...sources, reader, news]) stream.close();
  await service.stop();
  expect(judged.ratio).toBeLessThan(judged.limit);
}, 600_000);
