// Linking a chat that publishes, its mode, its messages with their outcomes, and its removal.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FAKE_DISCORD_TOKEN, FakeDiscord } from '../packages/server/testing/delivery/fake-discord.fixture.ts';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../packages/server/testing/delivery/fake-telegram.fixture.ts';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('the channels', () => {
  const browser = new TestBrowser();
  let telegram: FakeTelegram;
  let discord: FakeDiscord;
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    telegram = (await FakeTelegram.open()).chat({ id: -1, type: 'channel', title: 'Gold signals' });
    discord = (await FakeDiscord.open()).channel({ id: '1', server: '10', name: 'gold', owner: '7' });
    const bots = {
      ...{ telegram_api_url: telegram.url, telegram_bot_token: FAKE_BOT_TOKEN },
      ...{ discord_api_url: discord.url, discord_bot_token: FAKE_DISCORD_TOKEN },
    };
    service = await Service.start({ news: 'none', house: 'none', ...bots });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await telegram[Symbol.asyncDispose]();
    await discord[Symbol.asyncDispose]();
  });

  test(
    'are linked with a code, list their messages, change their mode and are removed',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/settings#channels');
        await page.getByText('No channels yet.').waitFor();
        await page.getByLabel('Publish', { exact: true }).selectOption('automatic');
        await page.getByRole('button', { name: 'Create code' }).click();
        const code = await page.locator('.issued code').first().innerText();
        telegram.say(-1, `/link ${code.trim()}`);
        await page.getByRole('heading', { name: 'The chat is linked' }).waitFor();
        await page.getByRole('button', { name: 'Done' }).click();
        const row = page.getByRole('table', { name: 'Channels' }).getByRole('row', { name: /Gold signals/ });
        await row.getByText('at once, if the message is clear').waitFor();

        const message = telegram.say(-1, 'EURUSD buy now, SL 300 pips, TP 600 pips');
        telegram.say(-1, 'Gold sell now, TP 1900');
        await row.getByRole('button', { name: 'Messages' }).click();
        const messages = page.getByRole('table', { name: 'Messages' });
        await messages.getByRole('row', { name: /refused.*There is no stop loss/ }).waitFor();
        const link = messages.getByRole('row', { name: /published/ }).getByRole('link', { name: /EURUSD buy/ });
        const address = await link.getAttribute('href');
        expect(address).toMatch(/^\/signals\/sig_/);
        telegram.edit(message, 'EURUSD buy now, SL 300 pips, TP 900 pips');

        while (telegram.confirmed <= telegram.lastUpdate) await Bun.sleep(5);
        await row.getByRole('button', { name: 'Ask first' }).click();
        await row.getByText('after I confirm a preview').waitFor();
        await row.getByRole('button', { name: 'Remove' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
        await page.getByText('No channels yet.').waitFor();

        await page.goto(address!);
        const edits = page.getByRole('table', { name: 'Edits of the message' });
        await edits.getByRole('row', { name: /not kept.*[0-9a-f]{8} → [0-9a-f]{8}/ }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'of Discord are linked by their manager, and deleted messages are shown at the signal',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        while (discord.connected === 0) await Bun.sleep(5);
        await page.goto('/settings#channels');
        await page.getByLabel('Platform').selectOption('discord');
        await page.getByLabel('Publish', { exact: true }).selectOption('automatic');
        await page.getByRole('button', { name: 'Create code' }).click();
        const code = await page.locator('.issued code').first().innerText();
        await page.getByRole('link', { name: 'Open the bot' }).waitFor();
        discord.say('1', code.trim());
        await page.getByRole('heading', { name: 'The chat is linked' }).waitFor();
        const row = page.getByRole('table', { name: 'Channels' }).getByRole('row', { name: /Discord #gold/ });
        const message = discord.say('1', 'EURUSD buy now, SL 300 pips, TP 600 pips');
        await row.getByRole('button', { name: 'Messages' }).click();
        const published = page.getByRole('table', { name: 'Messages' }).getByRole('row', { name: /published/ });
        const address = await published.getByRole('link', { name: /EURUSD buy/ }).getAttribute('href');
        discord.delete(message);
        await discord.settled('1');
        await page.goto(address!);
        const edits = page.getByRole('table', { name: 'Edits of the message' });
        await edits.getByRole('row', { name: /deleted.*[0-9a-f]{8} → none/ }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'fit on a phone',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE }, async (page) => {
        await page.goto('/settings#channels');
        await page.getByRole('button', { name: 'Create code' }).waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
      }),
    TEST_MS,
  );
});
