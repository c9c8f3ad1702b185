// Alerts as notifications of the browser, which only a whole browser has.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FakePush } from '../packages/server/testing/delivery/fake-push.fixture.ts';
import { eventually } from '../packages/server/testing/process.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser(
  'an alert',
  () => {
    const browser = new TestBrowser('whole');
    let push: FakePush;
    let service: Service;
    let owner: Person;
    beforeAll(async () => {
      push = await FakePush.open();
      service = await Service.start({
        feeds: 'push',
        news: 'none',
        house: 'none',
        delivery_allow_private: 'true',
        vapid_subject: 'mailto:owner@example.org',
      });
      owner = await service.owner();
    }, TEST_MS);
    afterAll(async () => {
      await service.stop();
      await push[Symbol.asyncDispose]();
    });

    test(
      'reaches the browser as a push message, which the browser verifies by itself',
      () =>
        browser.visit(
          service.url,
          { as: owner, permissions: ['notifications'], serviceWorkers: 'allow' },
          async (page) => {
            // No push service of a browser can be reached here: this one speaks its protocol.
            const subscription = push.subscribe();
            await page.addInitScript((given) => {
              PushManager.prototype.subscribe = async () => ({ toJSON: () => given }) as never;
              PushManager.prototype.getSubscription = async () => null;
            }, subscription);
            const session = await page.context().newCDPSession(page);
            const registered = new Promise<string>((resolve) => {
              session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
                if (registrations[0]) resolve(registrations[0].registrationId);
              });
            });
            await session.send('ServiceWorker.enable');
            await page.goto('/alerts/destinations');
            await page.getByLabel('Channel').selectOption('push');
            await page.getByRole('button', { name: 'Use this browser' }).click();
            const registrationId = await registered;
            await eventually('the message that verifies this browser', () => push.received.length > 0);
            // A message that comes while the worker starts can be lost. A push service repeats it until the browser confirms it.
            const deliver = (payload: unknown, arrived: () => Promise<boolean>) => {
              let last = Number.NEGATIVE_INFINITY;
              return eventually('the effect of the push message', async () => {
                if (performance.now() - last > 3_000) {
                  last = performance.now();
                  await session.send('ServiceWorker.deliverPushMessage', {
                    origin: service.url,
                    registrationId,
                    data: JSON.stringify(payload),
                  });
                }
                return arrived();
              });
            };
            await deliver(push.received[0]!.payload, () =>
              page.getByText('This browser receives your alerts.').isVisible(),
            );
            const row = page.getByRole('row', { name: /Browser.*Active/ });
            await row.waitFor();

            await row.getByRole('button', { name: 'Test' }).click();
            await eventually('the test message', () => push.received.length > 1);
            const { payload } = push.received[1]!;
            const shown = (): Promise<readonly string[]> =>
              page.evaluate(async () => {
                const worker = await navigator.serviceWorker.ready;
                return (await worker.getNotifications()).map(({ title }) => title);
              });
            await deliver(payload, async () => (await shown()).length > 0);
            expect(await shown()).toEqual([(payload as { title: string }).title]);
          },
        ),
      TEST_MS,
    );
  },
  'whole',
);
