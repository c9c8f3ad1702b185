// Two-factor sign-in in the browser, and the audit log that shows it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { appCode } from 'tickwire/testing/two-factor.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PASSWORD, Service } from './service.fixture.ts';

const OWNER = 'Olivia Owner';
/** Console error of a request that is rejected on purpose. */
const REFUSED = /status of (401|403)/;

const panel = (page: Page, title: string) =>
  page.locator('.settings-panel', { has: page.getByRole('heading', { name: title, exact: true }) });

describeInBrowser('two-factor sign-in', () => {
  const browser = new TestBrowser();
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ news: 'none' });
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'is set up with a QR code and a code, asks for a code at sign-in, and is in the audit log',
    () =>
      browser.visit(service.url, { expected: [REFUSED] }, async (page) => {
        await page.goto(service.setupUrl);
        await page.getByLabel('Name', { exact: true }).fill(OWNER);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: /create the owner/i }).click();
        await page.getByRole('button', { name: 'Open the terminal' }).click();
        await page.getByText('EURUSD').first().waitFor();

        await page.goto(`${service.url}/settings#account`);
        const twoFactor = panel(page, 'Two-factor sign-in');
        await twoFactor.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await twoFactor.getByRole('button', { name: 'Set up' }).click();
        await twoFactor.getByRole('img', { name: 'QR code' }).waitFor();
        const secret = (await twoFactor.locator('code').first().textContent()) ?? '';
        await twoFactor.getByLabel('Code', { exact: true }).fill(appCode(secret, -1));
        await twoFactor.getByRole('button', { name: 'Enable' }).click();
        await twoFactor.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
        const codes = ((await twoFactor.locator('code').first().textContent()) ?? '').split(' ');
        expect(codes).toHaveLength(10);
        await twoFactor.getByRole('button', { name: 'Done' }).click();
        await twoFactor.getByText('Recovery codes left: 10.').waitFor();

        await page.getByRole('banner').getByRole('button', { name: 'Sign out', exact: true }).click();
        await page.getByLabel('Name', { exact: true }).fill(OWNER);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
        await signIn.click();
        await page.getByLabel('Code', { exact: true }).fill('000000');
        await signIn.click();
        await page.getByText(/The code is wrong/).waitFor();
        await page.getByLabel('Code', { exact: true }).fill(appCode(secret));
        await signIn.click();
        await page.getByRole('banner').getByRole('button', { name: 'Sign out', exact: true }).waitFor();

        await page.goto(`${service.url}/settings#audit`);
        await page.getByRole('row', { name: /two-factor enabled/ }).waitFor();
        expect(await page.getByRole('row', { name: /pub_/ }).count()).toBe(0);
        await page.getByLabel('Action', { exact: true }).selectOption('sign-in failed');
        await page.getByRole('row', { name: /two-factor enabled/ }).waitFor({ state: 'detached' });
        expect(await page.getByRole('row', { name: /sign-in failed/ }).count()).toBe(1);

        // A privileged step asks for the password, then for a code, and is repeated.
        await page.goto(`${service.url}/settings#keys`);
        const form = panel(page, 'New key');
        await form.getByLabel('Name', { exact: true }).fill('publisher');
        await form.getByLabel(/^publish/).check();
        await form.getByRole('button', { name: 'Create key' }).click();
        const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await form.getByText('This needs your password again.').waitFor();
        await form.getByRole('button', { name: 'Create key' }).click();
        const confirm = dialog.getByRole('button', { name: 'Confirm' });
        await dialog.getByLabel('Password', { exact: true }).fill('not the password');
        await confirm.click();
        await dialog.getByText('The password is wrong.').waitFor();
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await confirm.click();
        await dialog.getByLabel('Code', { exact: true }).fill(appCode(secret, 1));
        await confirm.click();
        await page.getByText(/^tw_/).first().waitFor();
        expect(await dialog.count()).toBe(0);
      }),
    TEST_MS,
  );
});
