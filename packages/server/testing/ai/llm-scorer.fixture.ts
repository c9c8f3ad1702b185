// A scorer on top of a fake language model.
import { LlmClient, type LlmClientOptions } from '../../src/ai/llm-client.ts';
import { LlmScorer } from '../../src/ai/llm-scorer.ts';
import type { ScoreRequest, ScorerError } from '../../src/ai/scorer.ts';
import { silentLog } from '../../src/ops/log.ts';
import { FakeLlm, type LlmBehaviour } from './fake-llm.fixture.ts';

export function scorerFixture() {
  const running: FakeLlm[] = [];
  return {
    async llmThat(behaviours: LlmBehaviour[], options: Partial<LlmClientOptions> = {}) {
      const fake = await FakeLlm.start(...behaviours);
      running.push(fake);
      const client = new LlmClient({
        url: fake.url,
        model: 'example-8b',
        key: 'sk-secret',
        timeoutMs: 30_000,
        requestsPerDay: 1_000,
        priceIn: 2,
        priceOut: 10,
        now: Date.now,
        log: silentLog,
        backoffMs: 5,
        ...options,
      });
      return { fake, client, scorer: new LlmScorer(client) };
    },
    async stopAll(): Promise<void> {
      for (const fake of running.splice(0)) await fake.stop();
    },
  };
}

export const about = (text: string, changes: Partial<ScoreRequest> = {}): ScoreRequest => ({
  text,
  category: null,
  symbol: null,
  ...changes,
});

/** The fault of a failed request, or `none`. */
export const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: ScorerError) => error.fault ?? String(error),
  );
