// The operator's page of AI models: requests to the language model, and how sure the labels are.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FakeLlm, scoring } from '../packages/server/testing/ai/fake-llm.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('AI models', () => {
  const browser = new TestBrowser();
  let llm: FakeLlm;
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    llm = await FakeLlm.start(scoring(() => -0.8));
    service = await Service.start({
      house: 'none',
      news: 'none',
      llm_url: llm.url,
      llm_model: 'example-8b',
      llm_requests_per_day: '40',
    });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await llm.stop();
  });

  test(
    'shows the operator the requests of the day and the label probabilities',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        for (const text of ['Gold plunges to a two-year low', 'Gold jumps to a record high'])
          await owner.must(200, owner.post('/api/ai/sentiment', { text, symbol: 'XAUUSD' }));
        await page.goto('/settings#models');
        await page.getByText('2 of 40 requests used today.').waitFor();
        const labels = page.getByRole('table', { name: 'Label probabilities' }).locator('tbody tr');
        await labels.filter({ hasText: 'crypto' }).getByText('45%').waitFor();
        expect(await labels.count()).toBe(4);
      }),
    TEST_MS,
  );

  test(
    'says so if there is no language model',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.route('**/api/admin/language-model', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ json: { ...(await response.json()), model: null } });
        });
        await page.goto('/settings#models');
        await page.getByText('No language model is configured.').waitFor();
      }),
    TEST_MS,
  );
});
