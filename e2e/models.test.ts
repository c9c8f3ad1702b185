// The operator's page of AI models: requests to the language model, where its labels differ, and how sure the labels are.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FakeLlm, scoring } from '../packages/server/testing/ai/fake-llm.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const DIFFERENT = 'Gold jumps to a record high <b>again</b>';
const SAME = 'Gold plunges to a two-year low';

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
    'shows the operator the requests of the day and the headlines with different labels',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        for (const text of [SAME, DIFFERENT])
          await owner.must(200, owner.post('/api/ai/sentiment', { text, symbol: 'XAUUSD' }));
        await page.goto('/settings#models');
        await page.getByText('2 of 40 requests used today.').waitFor();
        const agreement = page.getByRole('table', { name: 'Agreement with the built-in model' });
        // Labels are compared after the response, so they may appear with the next refresh.
        await agreement.getByRole('row', { name: 'gold 2 1 50%' }).waitFor();
        const rows = page.getByRole('table', { name: 'Latest disagreements' }).locator('tbody tr');
        expect(await rows.count()).toBe(1);
        expect(await rows.first().locator('td').allInnerTexts()).toEqual([
          DIFFERENT,
          'gold',
          expect.stringMatching(/^bearish −0.80$/),
          expect.stringMatching(/^bullish \+0.\d\d$/),
          expect.any(String),
        ]);
        const labels = page.getByRole('table', { name: 'Label probabilities' }).locator('tbody tr');
        expect(await labels.count()).toBe(4);
        await labels.filter({ hasText: 'crypto' }).getByText('45%').waitFor();
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
