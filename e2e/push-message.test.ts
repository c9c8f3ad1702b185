// Alerts as notifications of the browser, which only a whole browser has.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FakePush } from '../packages/server/testing/delivery/fake-push.fixture.ts';
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
        browser.visit(service.url, { as: owner, permissions: ['notifications'] }, async (page) => {
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
          while (push.received.length === 0) await Bun.sleep(20);
          const deliver = (payload: unknown) =>
            session.send('ServiceWorker.deliverPushMessage', {
              origin: service.url,
              registrationId,
              data: JSON.stringify(payload),
            });
          await deliver(push.received[0]!.payload);
          await page.getByText('This browser gets your alerts.').waitFor();
          const row = page.getByRole('row', { name: /Browser.*Active/ });
          await row.waitFor();

          await row.getByRole('button', { name: 'Test' }).click();
          while (push.received.length === 1) await Bun.sleep(20);
          const { payload } = push.received[1]!;
          await deliver(payload);
          const shown = (): Promise<readonly string[]> =>
            page.evaluate(async () => {
              const worker = await navigator.serviceWorker.ready;
              return (await worker.getNotifications()).map(({ title }) => title);
            });
          while ((await shown()).length === 0) await Bun.sleep(20);
          expect(await shown()).toEqual([(payload as { title: string }).title]);
        }),
      TEST_MS,
    );
  },
  'whole',
);
