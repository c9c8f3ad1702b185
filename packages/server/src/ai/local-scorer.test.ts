import { afterEach, describe, expect, test } from 'bun:test';
import type { MarketSymbol } from '@tickwire/engine';
import { silentLog } from '../ops/log.ts';
import { eventually } from '../testing/process.fixture.ts';
import { LocalScorer, type LocalScorerOptions } from './local-scorer.ts';
import type { ScoreRequest } from './scorer.ts';
import type { ScorerError } from './scorer-error.ts';

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
    worker: new URL('./fragile-worker.fixture.ts', import.meta.url),
    limits: { restartMs: 10, batchMs: 300, ...limits },
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
  test('scores a batch in its order, and says which model it was', async () => {
    const scorer = scorerWith();
    const texts = ['Gold jumps to a record high on strong demand', 'Shares plunge as profit collapses'];
    const scores = await scorer.score(Array.from({ length: 50 }, (_, index) => about(texts[index % 2]!)));
    expect(scores.map(({ sentiment }) => sentiment)).toEqual(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 'bullish' : 'bearish')),
    );
    expect(scorer.version).toMatch(/^headline-1-[0-9a-f]{8}$/);
    expect(new Set(scores.map(({ model }) => model))).toEqual(new Set([scorer.version]));
    expect(await scorer.score([])).toEqual([]);
  });

  test('takes the view of the instrument that is asked for', async () => {
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

  test('takes any text: empty, endless, of lone surrogates and control characters', async () => {
    const texts = ['', ' ', '\ud800', '\u0000\u202e', 'gold '.repeat(200_000), '🚀'.repeat(5_000), '"]}{[\\'];
    const scores = await scorerWith().score(texts.map((text) => about(text)));
    expect(scores.every(({ score }) => score >= -1 && score <= 1)).toBe(true);
    expect(scores).toHaveLength(texts.length);
  });

  test('leaves the event loop free while it works', async () => {
    const scorer = scorerWith();
    await scorer.score([about('Gold rises')]);
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const started = performance.now();
    await scorer.score(Array.from({ length: 200 }, (_, index) => about(`Bitcoin falls ${index}% as traders flee`)));
    const ms = performance.now() - started;
    clearInterval(timer);
    // On the event loop itself there would be none at all within a batch, and a dozen in all.
    expect(turns).toBeGreaterThan(ms / 5 / 3);
  });
});

describe('the thread of the local model', () => {
  test('a single headline does not wait for the many of somebody else', async () => {
    const scorer = fragile();
    const ended: string[] = [];
    const many = scorer.score(Array.from({ length: 640 }, () => about('0'))).then(() => ended.push('many'));
    const one = scorer.score([about('1')]).then(() => ended.push('one'));
    await Promise.all([many, one]);
    expect(ended).toEqual(['one', 'many']);
  });

  test('a full queue refuses by name what does not fit, and takes the next once there is room', async () => {
    const scorer = fragile({ waiting: 10 });
    const first = scorer.score(Array.from({ length: 8 }, () => about('0.5')));
    expect(await faultOf(scorer.score([about('0'), about('0'), about('0')]))).toBe('queue_full');
    expect(await first).toHaveLength(8);
    expect(scorer.status.waiting).toBe(0);
    expect(await scorer.score([about('0.9')])).toEqual([{ sentiment: 'bullish', score: 0.9, model: 'fragile-1' }]);
  });

  for (const [told, fault] of [
    ['throw', 'failed'],
    ['exit', 'failed'],
    ['hang', 'timed_out'],
  ] as const) {
    test(`a thread told to ${told} costs the request it broke on; the others are scored by the next thread`, async () => {
      const scorer = fragile();
      const broken = faultOf(scorer.score([about(told)]));
      const others = Array.from({ length: 5 }, (_, index) => scorer.score([about(`0.${index}`)]));
      expect(await broken).toBe(fault);
      expect((await Promise.all(others)).map(([score]) => score!.score)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
      expect(scorer.status.restarts).toBe(1);
      expect(scorer.available()).toBe(true);
    });
  }

  test('one that broke ever again is available as soon as it stands again', async () => {
    const scorer = fragile();
    for (let time = 0; time < 4; time++) expect(await faultOf(scorer.score([about('throw')]))).toBe('failed');
    expect(scorer.available()).toBe(false);
    await eventually('it stands again', () => scorer.available());
    expect(await scorer.score([about('1')])).toHaveLength(1);
  });

  test('what is no list of scores is refused', async () => {
    const scorer = fragile();
    expect(await faultOf(scorer.score([about('fail')]))).toBe('failed');
    for (const lie of ['too few', 'NaN', '1.5', '-Infinity']) {
      expect(await faultOf(scorer.score([about(lie)]))).toBe('bad_answer');
    }
    expect(await scorer.score([about('-1')])).toHaveLength(1);
    expect(scorer.status).toEqual({ waiting: 0, restarts: 0 });
  });

  test('a model that cannot be loaded is not available, is tried again ever more seldom, and stops cleanly', async () => {
    const scorer = scorerWith({
      worker: new URL('./broken-worker.fixture.ts', import.meta.url),
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

  test('whoever goes away leaves nothing in the queue', async () => {
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

  test('stopping refuses what waits and what comes', async () => {
    const scorer = fragile();
    const waiting = Array.from({ length: 3 }, () => faultOf(scorer.score([about('hang')])));
    await scorer.stop();
    expect(await Promise.all(waiting)).toEqual(['stopped', 'stopped', 'stopped']);
    expect(await faultOf(scorer.score([about('0')]))).toBe('stopped');
    expect(scorer.available()).toBe(false);
  });
});
