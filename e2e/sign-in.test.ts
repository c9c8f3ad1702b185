// From the setup link of the first start to a working key; signing in and out.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PASSWORD, Service } from './service.fixture.ts';

const OWNER = 'Olivia Owner';
/** Console error of a request that is rejected on purpose. */
const REFUSED = /status of (401|403|429)/;

/** Runs curl, like a user. */
async function curl(...args: string[]): Promise<{ status: number; body: string }> {
  const child = Bun.spawn(['curl', '-s', '-w', '\n%{http_code}', ...args], { stdout: 'pipe' });
  const said = (await new Response(child.stdout).text()).split('\n');
  return { status: Number(said.pop()), body: said.join('\n') };
}

async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The button of the page frame, not that of a session in the list. */
const signOut = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign out', exact: true });

describeInBrowser('signing in and out', () => {
  const browser = new TestBrowser();
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ registration: 'open', news: 'none' });
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'the setup link creates the owner, the settings create a key, and the key works with curl',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await page.goto(service.setupUrl);
        await page.getByLabel('Name', { exact: true }).fill(OWNER);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: /create the owner/i }).click();
        await page.getByRole('button', { name: 'Open the terminal' }).click();
        // Signed in, with live markets.
        await page.getByText('EURUSD').first().waitFor();
        expect(new URL(page.url()).pathname).toBe('/');

        await page.getByRole('link', { name: 'Settings' }).first().click();
        await page.getByLabel('Name', { exact: true }).fill('night bot');
        await page.getByRole('button', { name: 'Create key' }).click();
        const key = (await page.getByText(/^tw_/).first().textContent()) ?? '';
        const quote = await curl('-H', `X-API-Key: ${key}`, `${service.url}/api/market/EURUSD/quote`);
        expect(quote.status).toBe(200);
        expect(JSON.parse(quote.body)).toMatchObject({ symbol: 'EURUSD', bid: expect.any(Number) });
        // A key with a different last letter is rejected.
        const wrong = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
        expect((await curl('-H', `X-API-Key: ${wrong}`, `${service.url}/api/symbols`)).status).toBe(401);

        // Once revoked in the settings, it stops working immediately.
        const row = page.getByRole('row', { name: /night bot/ });
        await row.getByRole('button', { name: 'Revoke' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
        await row.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
        expect((await curl('-H', `X-API-Key: ${key}`, `${service.url}/api/symbols`)).status).toBe(401);
      }),
    TEST_MS,
  );

  test(
    'the setup link works only once and says so the second time',
    () =>
      browser.visit(service.url, { expected: [REFUSED] }, async (page) => {
        await page.goto(service.setupUrl);
        await page.getByRole('heading', { name: 'This service has an owner' }).waitFor();
        expect(await page.getByRole('textbox').count()).toBe(0);
        const token = new URL(service.setupUrl).searchParams.get('token');
        const status = await page.evaluate(
          async (body) => (await fetch('/api/account/setup', { method: 'POST', body })).status,
          JSON.stringify({ token, name: 'Second', password: PASSWORD }),
        );
        expect(status).toBe(403);
      }),
    TEST_MS,
  );

  test(
    'signing in leads to the requested page, and signing out works from there',
    () =>
      browser.visit(service.url, { expected: [REFUSED] }, async (page, { context }) => {
        await page.goto('/settings#account');
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await signIn(page, OWNER);
        await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
        expect(new URL(page.url()).pathname).toBe('/settings');
        const [cookie] = await context.cookies();
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
        expect(await page.evaluate(() => document.cookie)).toBe('');

        await signOut(page).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        expect(await context.cookies()).toEqual([]);
        await page.goto('/settings');
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'signing out everywhere ends the session of another browser with an open page',
    () =>
      browser.visit(service.url, { expected: [REFUSED, /WebSocket/] }, async (elsewhere) => {
        await elsewhere.goto('/sign-in');
        await signIn(elsewhere, OWNER);
        await elsewhere.getByText('EURUSD').first().waitFor();
        await browser.visit(service.url, { expected: [REFUSED] }, async (page) => {
          await page.goto('/sign-in');
          await signIn(page, OWNER);
          await page.getByText('EURUSD').first().waitFor();
          await page.goto('/settings#account');
          await page.getByRole('button', { name: 'Sign out everywhere' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
          await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        });
        await elsewhere.getByRole('heading', { name: 'You were signed out' }).waitFor();
        await elsewhere.getByText('Your session has expired').waitFor();
      }),
    TEST_MS,
  );

  test(
    'a cookie that was set before the sign-in is invalid after it',
    () =>
      browser.visit(service.url, { expected: [REFUSED] }, async (page, { context }) => {
        const attacker = { name: 'Mallory', password: PASSWORD };
        const planted = await fetch(`${service.url}/api/account/sign-up`, {
          method: 'POST',
          body: JSON.stringify(attacker),
          headers: { Origin: service.url },
        });
        const value = /tickwire=([^;]+)/.exec(planted.headers.get('set-cookie') ?? '')?.[1] ?? '';
        expect(value).not.toBe('');
        await context.addCookies([{ name: 'tickwire', value, url: service.url }]);
        await page.goto('/sign-in');
        await signIn(page, OWNER);
        await page.getByText('EURUSD').first().waitFor();
        const cookies = await context.cookies();
        expect(cookies).toHaveLength(1);
        expect(cookies[0]!.value).not.toBe(value);
        await page.goto('/settings#account');
        await page.getByText(`${OWNER} (owner of this service)`).waitFor();
        // The attacker's session is still the attacker's own.
        const held = await fetch(`${service.url}/api/account`, { headers: { Cookie: `tickwire=${value}` } });
        expect(((await held.json()) as { name: string }).name).toBe('Mallory');
      }),
    TEST_MS,
  );

  test(
    'wrong passwords are throttled, and then the right one as well',
    () =>
      browser.visit(service.url, { expected: [REFUSED] }, async (page) => {
        await page.goto('/sign-in');
        for (let count = 0; count < 5; count++) {
          const answered = page.waitForResponse('**/api/account/sign-in');
          await signIn(page, 'Mallory', `wrong guess ${count}`);
          expect((await answered).status()).toBe(401);
          await page.getByText('Name or password is wrong.').waitFor();
        }
        const answered = page.waitForResponse('**/api/account/sign-in');
        await signIn(page, 'Mallory');
        expect((await answered).status()).toBe(429);
        await page.getByText(/Too many attempts\. Try again in \d+ s\./).waitFor();
      }),
    TEST_MS,
  );
});
