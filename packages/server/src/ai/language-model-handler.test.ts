import { expect, test } from 'bun:test';
import { LanguageModelReport } from '@tickwire/contract';
import { FakeLlm, scoring } from '../../testing/ai/fake-llm.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

async function reportOf(service: RunningService, key: string): Promise<LanguageModelReport> {
  const response = await fetch(`${service.url}/api/admin/language-model`, { headers: { 'X-API-Key': key } });
  return LanguageModelReport.strict().parse(await response.json());
}

test('the operator sees the requests of the day', async () => {
  const fake = await FakeLlm.start(scoring(() => -0.8));
  const service = await startService({
    feeds: 'push',
    news: 'none',
    llm_url: fake.url,
    llm_model: 'example-8b',
    llm_requests_per_day: '3',
  });
  const { key } = await service.key('premium', ['read', 'admin']);
  const score = (text: string): Promise<Response> =>
    fetch(`${service.url}/api/ai/sentiment`, {
      method: 'POST',
      body: JSON.stringify({ text, symbol: 'XAUUSD' }),
      headers: { 'X-API-Key': key },
    });
  expect(await reportOf(service, key)).toMatchObject({
    model: 'example-8b',
    available: true,
    requests_today: 0,
    requests_per_day: 3,
    resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
  });

  for (const text of ['Gold plunges to a two-year low', 'Gold jumps to a record high'])
    expect((await score(text)).status).toBe(200);
  expect(await reportOf(service, key)).toMatchObject({ available: true, requests_today: 2 });

  await score('Gold steady');
  expect(await reportOf(service, key)).toMatchObject({ available: false, requests_today: 3 });
  await service.stop();
  await fake.stop();
});

test('without a language model the report is empty, and only operators get it', async () => {
  const service = await startService({ feeds: 'push', news: 'none' });
  const { key } = await service.key('premium', ['admin']);
  expect(await reportOf(service, key)).toMatchObject({
    model: null,
    available: false,
    requests_today: 0,
    requests_per_day: 5_000,
  });
  const other = await service.key('premium');
  const refused = await fetch(`${service.url}/api/admin/language-model`, { headers: { 'X-API-Key': other.key } });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'missing_scope']);
  await service.stop();
});
