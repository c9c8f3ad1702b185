// Requirements on every store: alerts, subscriptions and firings.
import { describe, expect, test } from 'bun:test';
import type { AlertStore } from '../../src/store/alert-store.ts';
import type { Store } from '../../src/store/store.ts';
import { alert, alertWrite, destination, firing, message, subscription } from './alert-samples.fixture.ts';

/** `current` returns the store of the running test. */
export function alertStoreContract(current: () => Store): void {
  const store = (): AlertStore => current().alerts;

  describe('alerts', () => {
    test('are created, replaced and deleted', async () => {
      await store().putAlert(alert('alr_2', { createdAt: 2, paused: true, symbol: null, note: null }));
      await store().putAlert(alert('alr_1', { createdAt: 1, expiresAt: 5, repeat: 'once_per_bar', interval: '5m' }));
      await store().putAlert(alert('alr_3', { createdAt: 3 }));
      const changed = alert('alr_2', { createdAt: 2, deliver: [], done: true, state: '{}' });
      await store().putAlert(changed);
      await store().deleteAlert('alr_3');
      expect(await store().alerts()).toEqual([
        alert('alr_1', { createdAt: 1, expiresAt: 5, repeat: 'once_per_bar', interval: '5m' }),
        changed,
      ]);
    });

    test('a new note and new destinations change nothing else', async () => {
      await store().putAlert(alert('alr_1', { state: '{"armed":true}', fired: 3 }));
      await store().describeAlert('alr_1', { note: null, deliver: ['dst_2'] });
      expect(await store().alerts()).toEqual([
        alert('alr_1', { state: '{"armed":true}', fired: 3, note: null, deliver: ['dst_2'] }),
      ]);
    });

    test('writes that were called together take effect in the order of the calls', async () => {
      await store().putAlert(alert('alr_1'));
      const progress = (fired: number) => ({ id: 'alr_1', state: null, done: fired > 0, fired, lastFiredAt: fired });
      const calls: Promise<unknown>[] = [];
      for (let fired = 1; fired <= 20; fired++) {
        const firings = fired % 2 === 0 ? [firing(`fir_${fired}`)] : [];
        calls.push(store().write(alertWrite({ firings, progress: [progress(fired)] })));
      }
      calls.push(store().putAlert(alert('alr_1', { fired: 21 })));
      await Promise.all(calls);
      expect(await store().alerts()).toEqual([alert('alr_1', { fired: 21 })]);
      const fired = await store().firings('pub_a', { limit: 20 });
      expect(fired.map(({ id }) => id)).toEqual([20, 18, 16, 14, 12, 10, 8, 6, 4, 2].map((n) => `fir_${n}`));
    });

    test('subscriptions are created, replaced and deleted', async () => {
      for (const id of ['sub_1', 'sub_2', 'sub_3']) await store().putSubscription(subscription(id));
      const changed = subscription('sub_2', { publisher: null, category: 'crypto', events: [], mirror: false });
      await store().putSubscription(changed);
      await store().deleteSubscription('sub_3');
      expect(await store().subscriptions()).toEqual([subscription('sub_1'), changed]);
    });

    test('preferences are set per account and replaced', async () => {
      expect(await store().preferences()).toEqual([]);
      const berlin = { account: 'pub_a', timeZone: 'Europe/Berlin', numberFormat: 'de' };
      const tokyo = { account: 'pub_b', timeZone: 'Asia/Tokyo', numberFormat: 'ja' };
      await store().putPreferences({ ...berlin, timeZone: 'UTC' });
      await store().putPreferences(tokyo);
      await store().putPreferences(berlin);
      const stored = await store().preferences();
      expect(stored.sort((a, b) => (a.account < b.account ? -1 : 1))).toEqual([berlin, tokyo]);
    });

    test('a firing is written with its messages, the progress of the alert and the marks', async () => {
      expect(await store().marks()).toBeNull();
      await store().putAlert(alert('alr_1'));
      await current().delivery.putDestination(destination('dst_1'));
      const sent = message('msg_1', { firing: 'fir_1', alert: 'alr_1' });
      const progress = { id: 'alr_1', state: '{"armed":false}', done: true, fired: 1, lastFiredAt: 2_001 };
      const written = await store().write(
        alertWrite({ firings: [firing('fir_1')], messages: [sent], progress: [progress] }),
      );
      expect(written).toEqual({ firings: [firing('fir_1')], removed: 0 });
      expect(await store().firings('pub_a', { limit: 10 })).toEqual([firing('fir_1')]);
      const { firedAt } = firing('fir_1');
      expect(await store().firingsSince(firedAt, 10)).toEqual([firing('fir_1')]);
      expect(await store().firingsSince(firedAt + 1, 10)).toEqual([]);
      expect(await current().delivery.message('msg_1')).toMatchObject({ ...sent, state: 'waiting', attempts: 0 });
      expect(await store().alerts()).toEqual([alert('alr_1', progress)]);
      expect(await store().marks()).toEqual({ judgedUntil: 20, signalN: 4, newsAt: 5_000 });
    });

    test('the marks have the headlines that were judged lately', async () => {
      const marks = { judgedUntil: 20, signalN: 4, newsAt: 5_000 };
      const news = new Map([
        ['n1', 4_000],
        ['n_2:ü', 4_500],
      ]);
      await store().write(alertWrite({ marks: { ...marks, news } }));
      // Those of the last write.
      await store().write(alertWrite({ marks }));
      expect(await store().marks()).toEqual({ ...marks, news });
      const later = new Map([...[...news].slice(1), ['n3', 5_000] as const]);
      await store().write(alertWrite({ marks: { ...marks, news: later } }));
      expect(await store().marks()).toEqual({ ...marks, news: later });
    });

    test('a cause fires an alert once, and its messages are written once', async () => {
      await current().delivery.putDestination(destination('dst_1'));
      const first = firing('fir_1', { cause: 'seq:7' });
      const again = firing('fir_2', { cause: 'seq:7' });
      const other = firing('fir_3', { cause: 'seq:7', alert: 'alr_2', seq: null, price: null });
      const messageOf = (id: string, of: string) => message(id, { firing: of });
      await store().write(alertWrite({ firings: [first], messages: [messageOf('msg_1', 'fir_1')] }));
      const written = await store().write(
        alertWrite({
          firings: [again, other],
          messages: [messageOf('msg_2', 'fir_2'), messageOf('msg_3', 'fir_3')],
          marks: { judgedUntil: 21, signalN: 4, newsAt: 5_000 },
        }),
      );
      expect(written).toEqual({ firings: [other], removed: 0 });
      expect(await store().firings('pub_a', { limit: 10 })).toEqual([other, first]);
      const messages = await current().delivery.messages('pub_a', { limit: 10 });
      expect(messages.map(({ id }) => id)).toEqual(['msg_3', 'msg_1']);
      expect((await store().marks())?.judgedUntil).toBe(21);
    });

    test('messages to destinations that do not exist any more are left out', async () => {
      await current().delivery.putDestination(destination('dst_1'));
      await store().write(
        alertWrite({
          firings: [firing('fir_1')],
          messages: [
            message('msg_1', { firing: 'fir_1', destination: 'dst_gone' }),
            message('msg_2', { firing: 'fir_1' }),
          ],
        }),
      );
      const messages = await current().delivery.messages('pub_a', { limit: 10 });
      expect(messages.map(({ id }) => id)).toEqual(['msg_2']);
    });

    test('firings are listed newest first, by alert and page by page, and pruned by age', async () => {
      const firings = [1, 2, 3, 4, 5].map((n) =>
        firing(`fir_${n}`, { alert: n % 2 ? 'alr_1' : 'alr_2', firedAt: n * 1_000 }),
      );
      await store().write(alertWrite({ firings: [...firings, firing('fir_other', { account: 'pub_b' })] }));
      const idsOf = async (query: Parameters<AlertStore['firings']>[1]) =>
        (await store().firings('pub_a', query)).map(({ id }) => id);
      expect(await idsOf({ limit: 2 })).toEqual(['fir_5', 'fir_4']);
      expect(await idsOf({ limit: 2, before: 'fir_4' })).toEqual(['fir_3', 'fir_2']);
      expect(await idsOf({ limit: 9, alert: 'alr_2', before: 'fir_4' })).toEqual(['fir_2']);
      expect(await store().pruneFirings(3_000, 2)).toBe(2);
      expect(await store().pruneFirings(3_000, 2)).toBe(1);
      expect(await idsOf({ limit: 9 })).toEqual(['fir_5', 'fir_4', 'fir_3']);
    });

    test('beyond the bound of an account its oldest firings are removed, and counted', async () => {
      const ids = async (account: string) => (await store().firings(account, { limit: 99 })).map(({ id }) => id);
      const write = (names: readonly string[], part: Parameters<typeof firing>[1] = {}, bytes = 1e9) =>
        store().write(alertWrite({ firings: names.map((id) => firing(id, part)) }), (account) => ({
          firings: account === 'pub_a' ? 4 : 1e9,
          bytes,
        }));
      await write(['b1', 'b2', 'b3', 'b4', 'b5'], { account: 'pub_b', alert: 'alr_b' });
      expect((await write(['a1', 'a2', 'a3'])).removed).toBe(0);
      expect((await write(['a4', 'a5', 'a6'])).removed).toBe(2);
      expect(await ids('pub_a')).toEqual(['a6', 'a5', 'a4', 'a3']);
      // One that was written before counts once.
      expect((await write(['a6', 'a7'])).removed).toBe(1);
      // Bytes: of `about` and `body`, for each firing.
      const about = JSON.stringify({ note: '€'.repeat(100) });
      const size = Buffer.byteLength(`${about}{}`);
      expect((await write(['a8', 'a9'], { about, body: '{}' }, 2 * size)).removed).toBe(4);
      expect(await ids('pub_a')).toEqual(['a9', 'a8']);
      expect((await write(['a10'], { about, body: '{}' }, 2 * size)).removed).toBe(1);
      expect(await ids('pub_a')).toEqual(['a10', 'a9']);
      expect([await store().removedFirings('pub_a'), await store().removedFirings('pub_b')]).toEqual([8, 0]);
      expect(await ids('pub_b')).toHaveLength(5);
      // Those that were too old are not counted, and make room.
      expect(await store().pruneFirings(firing('').firedAt + 1, 99)).toBe(7);
      expect((await write(['a11', 'a12', 'a13', 'a14'])).removed).toBe(0);
      expect(await store().removedFirings('pub_a')).toBe(8);
    });

    test('what firings say of their alert is theirs, whatever the alert says later', async () => {
      const firings = ['first', 'second', 'first', 'third'].map((note, n) =>
        firing(`fir_${n}`, { about: JSON.stringify({ note }), firedAt: 1_000 * n }),
      );
      await store().write(alertWrite({ firings }));
      expect((await store().firings('pub_a', { limit: 9 })).reverse()).toEqual(firings);
      await store().pruneFirings(2_000, 9);
      expect((await store().firings('pub_a', { limit: 9 })).reverse()).toEqual(firings.slice(2));
    });

    test('forgetting an account deletes everything of it and nothing of others', async () => {
      for (const [account, n] of [
        ['pub_a', 1],
        ['pub_b', 2],
      ] as const) {
        await store().putAlert(alert(`alr_${n}`, { account }));
        await store().putSubscription(subscription(`sub_${n}`, { account }));
        await store().putPreferences({ account, timeZone: 'UTC', numberFormat: 'de' });
        await current().delivery.putDestination(destination(`dst_${n}`, { account }));
        await store().write(
          alertWrite({
            firings: [firing(`fir_${n}`, { account })],
            messages: [message(`msg_${n}`, { account, destination: `dst_${n}`, firing: `fir_${n}` })],
          }),
        );
      }
      await store().forgetAccount('pub_a');
      const left = async (account: string) => [
        (await store().firings(account, { limit: 9 })).length,
        (await current().delivery.destinations(account)).length,
        (await current().delivery.messages(account, { limit: 9 })).length,
        (await current().delivery.destinationStates(account)).size,
      ];
      expect(await left('pub_a')).toEqual([0, 0, 0, 0]);
      expect(await left('pub_b')).toEqual([1, 1, 1, 1]);
      expect((await store().alerts()).map(({ id }) => id)).toEqual(['alr_2']);
      expect((await store().subscriptions()).map(({ id }) => id)).toEqual(['sub_2']);
      expect((await store().preferences()).map(({ account }) => account)).toEqual(['pub_b']);
    });
  });
}
