// A signed-in person opens a malicious page: whatever it tries with their session fails.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AttackerSite, callWithCookies, listenWithCookies, sendForm } from './attacker-site.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PASSWORD, type Person, Service } from './service.fixture.ts';

/** The page is not ours, so problems that the browser reports are expected. */
const ANYTHING = [/.*/s];

describeInBrowser('a malicious page', () => {
  const browser = new TestBrowser();
  const attackerSite = new AttackerSite();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ registration: 'open', news: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(async () => {
    attackerSite.stop();
    await service.stop();
  });

  const keysOfOwner = async () => (await owner.read<{ items: unknown[] }>('/api/keys')).items.length;

  describe.each([
    ['on another port of the same host', () => attackerSite.sameSite],
    ['on another host', () => attackerSite.crossSite],
  ])('%s', (_, origin) => {
    const from = (tour: Parameters<TestBrowser['visit']>[2]) =>
      browser.visit(service.url, { as: owner, expected: ANYTHING }, async (page, visit) => {
        // The session exists: on our own page the same browser is signed in.
        await page.goto('/settings#account');
        await page.getByText('Olivia Owner').first().waitFor();
        await page.goto(origin());
        await tour(page, visit);
      });

    test(
      'cannot read or change the account',
      () =>
        from(async (page) => {
          const before = await keysOfOwner();
          const read = await page.evaluate(callWithCookies, { url: `${service.url}/api/account`, method: 'GET' });
          expect(read).not.toContain('Olivia');
          expect(read).toContain('no-cors: opaque 0');
          const body = JSON.stringify({ name: 'stolen', scopes: ['read'], expires_days: 30 });
          const made = await page.evaluate(callWithCookies, { url: `${service.url}/api/keys`, method: 'POST', body });
          expect(made).not.toContain('tw_');
          const everywhere = `${service.url}/api/account/sign-out-everywhere`;
          await page.evaluate(callWithCookies, { url: everywhere, method: 'POST', body: '{}' });
          expect(await keysOfOwner()).toBe(before);
        }),
      TEST_MS,
    );

    test(
      'cannot create a key, sign out or sign in as another account by sending forms',
      () =>
        from(async (page, { context }) => {
          const before = await keysOfOwner();
          const cookies = await context.cookies(service.url);
          for (const [path, body] of [
            ['/api/keys', { name: 'stolen', scopes: ['read'], expires_days: 30 }],
            ['/api/account/sign-out-everywhere', { all: 'true' }],
            ['/api/account/sign-out', { all: 'true' }],
            ['/api/account/sign-in', { name: 'Mallory', password: PASSWORD }],
            ['/api/account/sign-up', { name: 'Mallory', password: PASSWORD }],
          ] as const)
            await page.evaluate(sendForm, { url: service.url + path, body: JSON.stringify(body) });
          expect(await context.cookies(service.url)).toEqual(cookies);
          expect(await keysOfOwner()).toBe(before);
          await page.goto(`${service.url}/settings#account`);
          await page.getByText('Olivia Owner').first().waitFor();
        }),
      TEST_MS,
    );

    test(
      'receives nothing on a WebSocket, because the cookie does not authenticate it',
      () =>
        from(async (page) => {
          const url = `${service.url.replace(/^http/, 'ws')}/ws/market`;
          const heard = await page.evaluate(listenWithCookies, {
            url,
            ask: { action: 'subscribe', symbols: ['*'] },
            waitMs: 2_000,
          });
          expect(heard[0]).toContain('missing_key');
          expect(heard.join()).not.toContain('"bid"');
          // From our own page, the same request receives ticks.
          await page.goto(service.url);
          const ask = { action: 'subscribe', symbols: ['*'] };
          const own = await page.evaluate(listenWithCookies, { url, ask, waitMs: 30_000 });
          expect(own.join()).toContain('"bid"');
        }),
      TEST_MS,
    );

    test(
      'cannot embed our pages in a frame or keep a reference to our window',
      () =>
        from(async (page, { context }) => {
          for (const path of ['/', '/settings', '/sign-in', '/docs']) {
            await page.evaluate(async (src) => {
              const frame = document.querySelector('iframe')!;
              const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
              frame.src = src;
              await loaded;
            }, service.url + path);
            const [, frame] = page.frames();
            // The page receives the load event slightly before the final URL is known here.
            await frame?.waitForURL((url) => url.protocol !== 'about:', { waitUntil: 'commit' });
            expect([path, frame?.url()]).toEqual([path, 'chrome-error://chromewebdata/']);
          }
          const opened = context.waitForEvent('page');
          await page.evaluate((url) => {
            (window as { ours?: Window | null }).ours = window.open(url);
          }, service.url);
          const ours = await opened;
          await ours.waitForLoadState();
          expect(await page.evaluate(() => (window as { ours?: Window | null }).ours?.closed)).toBe(true);
          expect(await ours.evaluate(() => window.opener)).toBeNull();
        }),
      TEST_MS,
    );
  });
});
