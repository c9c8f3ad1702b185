import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { cpSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketSymbol } from '@tickwire/engine';
import { MODEL_VERSION, modelFile } from '@tickwire/sentiment';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { LocalScorer, type LocalScorerOptions } from './local-scorer.ts';
import { modelProblem } from './model-problem.ts';
import { Models } from './models.ts';
import type { ScoreRequest, ScorerError } from './scorer.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open: LocalScorer[] = [];
afterEach(async () => {
  for (const scorer of open.splice(0)) await scorer.stop();
});
function scorerWith(options: Partial<LocalScorerOptions> = {}): LocalScorer {
  const scorer = new LocalScorer({ log: silentLog, ...options });
  open.push(scorer);
  return scorer;
}
const fragile = (limits: LocalScorerOptions['limits'] = {}): LocalScorer =>
  scorerWith({
    worker: new URL('../../testing/ai/fragile-worker.fixture.ts', import.meta.url),
    limits: { restartMs: 10, batchMs: 30_000, ...limits },
  });
const about = (text: string, changes: Partial<ScoreRequest> = {}): ScoreRequest => ({
  text,
  category: null,
  symbol: null,
  ...changes,
});
const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: ScorerError) => error.fault,
  );

describe('the local model', () => {
  test('scores a batch in order and names the model', async () => {
    const scorer = scorerWith();
    const texts = ['Gold jumps to a record high on strong demand', 'Shares plunge as profit collapses'];
    const scores = await scorer.score(Array.from({ length: 50 }, (_, index) => about(texts[index % 2]!)));
    expect(scores.map(({ sentiment }) => sentiment)).toEqual(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 'bullish' : 'bearish')),
    );
    expect(scorer.version).toMatch(/^headline-3-[0-9a-f]{8}$/);
    expect(new Set(scores.map(({ model }) => model))).toEqual(new Set([scorer.version]));
    expect(await scorer.score([])).toEqual([]);
  });

  test('is not loaded and not available if its file is damaged', async () => {
    const checked = Promise.withResolvers<string | null>();
    const scorer = scorerWith({ problem: () => checked.promise });
    const models = new Models({ local: scorer, llm: null });
    const waiting = faultOf(scorer.score([about('Gold')]));
    expect([scorer.problem, scorer.available()]).toEqual([null, true]);
    checked.resolve('the file is damaged');
    expect(await waiting).toBe('failed');
    expect([scorer.problem, scorer.available()]).toEqual(['the file is damaged', false]);
    expect(await faultOf(scorer.score([about('Gold')]))).toBe('failed');
    expect(models.list()[0]).toMatchObject({ id: 'local', available: false });
    await expect(models.score([about('Gold')])).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(scorer.status.restarts).toBe(0);
  });

  test('is checked once, when asked to or with the first request', async () => {
    let checks = 0;
    const problem = async () => (checks++ === 0 ? 'the file is damaged' : null);
    const scorer = scorerWith({ problem });
    expect([checks, scorer.problem]).toEqual([0, null]);
    await scorer.check();
    expect(scorer.problem).toBe('the file is damaged');
    await scorer.check();
    expect(await faultOf(scorer.score([about('Gold')]))).toBe('failed');
    expect(checks).toBe(1);
  });

  test('is damaged if its file is truncated, changed or missing', async () => {
    const file = join(folder, 'sentiment.bin');
    expect(await modelProblem()).toBeNull();
    cpSync(modelFile, file);
    expect(await modelProblem(file)).toBeNull();
    truncateSync(file, 5_000_000);
    expect(await modelProblem(file)).toBe(`${file} is damaged (its checksum is wrong): install Tickwire again`);
    rmSync(file);
    expect(await modelProblem(file)).toContain(`${file} cannot be read`);
  });

  test('scores for the requested instrument', async () => {
    const scorer = scorerWith({
      targetsOf: (symbol) =>
        symbol === 'XAUUSD' ? { up: ['gold'], down: ['dollar'] } : { up: ['dollar'], down: ['gold'] },
    });
    const text = 'Gold rallies as dollar slumps';
    const [gold, dollar] = await scorer.score([
      about(text, { symbol: 'XAUUSD' as MarketSymbol }),
      about(text, { symbol: 'USDX' as MarketSymbol }),
    ]);
    expect(gold!.score).toBeGreaterThan(dollar!.score);
  });

  test('accepts any text: empty, very long, with lone surrogates or control characters', async () => {
    const texts = ['', ' ', '\ud800', '\u0000\u202e', 'gold '.repeat(200_000), '🚀'.repeat(5_000), '"]}{[\\'];
    const scores = await scorerWith().score(texts.map((text) => about(text)));
    expect(scores.every(({ score }) => score >= -1 && score <= 1)).toBe(true);
    expect(scores).toHaveLength(texts.length);
  });

  test('does not block the event loop', async () => {
    const scorer = scorerWith();
    await scorer.score([about('Gold rises')]);
    let turns = 0;
    let scored = false;
    const turn = (): unknown => ++turns && !scored && setImmediate(turn);
    turn();
    await scorer.score(Array.from({ length: 200 }, (_, index) => about(`Bitcoin falls ${index}% as traders flee`)));
    scored = true;
    // On the event loop itself there would be no turn within a batch, and about a dozen in total.
    expect(turns).toBeGreaterThan(100);
  });
});

describe('the thread of the local model', () => {
  test('a single headline does not wait for a large request', async () => {
    const scorer = fragile();
    const ended: string[] = [];
    const many = scorer.score(Array.from({ length: 640 }, () => about('0'))).then(() => ended.push('many'));
    const one = scorer.score([about('1')]).then(() => ended.push('one'));
    await Promise.all([many, one]);
    expect(ended).toEqual(['one', 'many']);
  });

  test('a full queue rejects requests with `queue_full` until there is room', async () => {
    const scorer = fragile({ waiting: 10 });
    const first = scorer.score(Array.from({ length: 8 }, () => about('0.5')));
    expect(await faultOf(scorer.score([about('0'), about('0'), about('0')]))).toBe('queue_full');
    expect(await first).toHaveLength(8);
    expect(scorer.status.waiting).toBe(0);
    expect(await scorer.score([about('0.9')])).toMatchObject([
      { sentiment: 'bullish', score: 0.9, model: 'fragile-1' },
    ]);
  });

  for (const [instruction, fault] of [
    ['throw', 'failed'],
    ['exit', 'failed'],
    ['hang', 'timed_out'],
  ] as const) {
    test(`a thread that runs into ${instruction} fails only its own request; the next thread scores the others`, async () => {
      const scorer = fragile(instruction === 'hang' ? { batchMs: 1_000 } : {});
      const broken = faultOf(scorer.score([about(instruction)]));
      const others = Array.from({ length: 5 }, (_, index) => scorer.score([about(`0.${index}`)]));
      expect(await broken).toBe(fault);
      expect((await Promise.all(others)).map(([score]) => score!.score)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
      expect(scorer.status.restarts).toBe(1);
      expect(scorer.available()).toBe(true);
    });
  }

  test('a thread that failed repeatedly is available again as soon as it runs', async () => {
    const scorer = fragile();
    for (let time = 0; time < 4; time++) expect(await faultOf(scorer.score([about('throw')]))).toBe('failed');
    expect(scorer.available()).toBe(false);
    await eventually('it stands again', () => scorer.available());
    expect(await scorer.score([about('1')])).toHaveLength(1);
  });

  test('a result that is not a list of scores is rejected', async () => {
    const scorer = fragile();
    expect(await faultOf(scorer.score([about('fail')]))).toBe('failed');
    for (const lie of ['too few', 'NaN', '1.5', '-Infinity']) {
      expect(await faultOf(scorer.score([about(lie)]))).toBe('bad_response');
    }
    expect(await scorer.score([about('-1')])).toHaveLength(1);
    expect(scorer.status).toEqual({ waiting: 0, restarts: 0 });
  });

  test('a model that cannot be loaded is unavailable, is retried with backoff, and stops cleanly', async () => {
    const scorer = scorerWith({
      worker: new URL('../../testing/ai/broken-worker.fixture.ts', import.meta.url),
      limits: { restartMs: 5, requestMs: 100 },
    });
    expect(await faultOf(scorer.score([about('0')]))).toBe('timed_out');
    await eventually('it counts as not available', () => !scorer.available());
    const waiting = faultOf(scorer.score([about('0')]));
    await scorer.stop();
    expect(await waiting).toBe('stopped');
    const { restarts } = scorer.status;
    await Bun.sleep(100);
    expect(scorer.status.restarts).toBe(restarts);
  });

  test('the thread ends when there is nothing to do, and the next request starts another', async () => {
    const scorer = fragile({ idleMs: 20 });
    expect(scorer.version).toBe(MODEL_VERSION);
    expect(await scorer.score([about('1')])).toHaveLength(1);
    const loaded = scorer.version;
    expect(loaded).not.toBe(MODEL_VERSION);
    await Bun.sleep(100);
    expect(scorer.available()).toBe(true);
    expect(await scorer.score([about('1'), about('-1')])).toHaveLength(2);
    expect(scorer.version).toBe(loaded);
    // Neither was a failure.
    expect(scorer.status).toEqual({ waiting: 0, restarts: 0 });
  });

  test('an aborted request leaves nothing in the queue', async () => {
    const scorer = fragile();
    const gone = new AbortController();
    const many = faultOf(
      scorer.score(
        Array.from({ length: 500 }, () => about('0')),
        gone.signal,
      ),
    );
    gone.abort();
    expect(await many).toBe('aborted');
    expect(await faultOf(scorer.score([about('0')], gone.signal))).toBe('aborted');
    expect(scorer.status.waiting).toBe(0);
    expect(await scorer.score([about('1')])).toHaveLength(1);
  });

  test('stop rejects waiting and new requests', async () => {
    const scorer = fragile();
    const waiting = Array.from({ length: 3 }, () => faultOf(scorer.score([about('hang')])));
    await scorer.stop();
    expect(await Promise.all(waiting)).toEqual(['stopped', 'stopped', 'stopped']);
    expect(await faultOf(scorer.score([about('0')]))).toBe('stopped');
    expect(scorer.available()).toBe(false);
  });
});
