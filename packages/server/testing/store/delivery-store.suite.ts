// Requirements on every store: destinations and the outbox.
import { describe, expect, test } from 'bun:test';
import type { AttemptResult, DeliveryStore, LeasedDestination, NewMessage } from '../../src/store/delivery-store.ts';
import type { Store } from '../../src/store/store.ts';
import { alert, destination, leasable, message, subscription } from './alert-samples.fixture.ts';
import { refusalOf } from './samples.fixture.ts';

/** `current` returns the store of the running test. */
export function deliveryStoreContract(current: () => Store): void {
  const store = (): DeliveryStore => current().delivery;
  const lease = (now: number, part: Partial<Parameters<DeliveryStore['lease']>[0]> = {}) =>
    store().lease({ worker: 'w1', now, until: now + 30_000, destinations: 10, messages: 10, ...part });
  const shown = (leased: readonly LeasedDestination[]) =>
    leased.map((each) => [each.destination.id, ...each.messages.map(({ id }) => id)]);
  const given = (id: string, wakeAt = 0, failures = 0) => ({
    destination: id,
    wakeAt,
    failures,
    failingSince: failures > 0 ? 1 : null,
  });
  const delivered = (id: string, at: number): AttemptResult => ({ id, result: 'delivered', at });
  /** Destinations dst_1 … with messages that are named in order, such as `1a 2a 1b`. */
  const fill = async (names: string, part: Partial<NewMessage> = {}): Promise<void> => {
    const messages = names.split(' ').map((id) => message(id, { destination: `dst_${id[0]}`, ...part }));
    for (const id of new Set(messages.map((each) => each.destination))) {
      await store().putDestination(destination(id));
    }
    await store().addMessages(messages);
  };

  describe('destinations', () => {
    test('are created, replaced and listed by account', async () => {
      const unlinked = destination('dst_2', {
        channel: 'telegram',
        state: 'unverified',
        codeHash: 'ab',
        codeExpiresAt: 9,
        wrongCodes: 2,
        createdAt: 2_000,
      });
      await store().putDestination(unlinked);
      await store().putDestination(destination('dst_1'));
      await store().putDestination(destination('dst_3', { account: 'pub_b' }));
      expect(await store().destinations('pub_a')).toEqual([destination('dst_1'), unlinked]);
      await store().putDestination(destination('dst_1', { name: 'mine', state: 'unsubscribed' }));
      expect(await store().destination('dst_1')).toEqual(destination('dst_1', { name: 'mine', state: 'unsubscribed' }));
      await store().countWrongCode('dst_2', 'ab');
      await store().countWrongCode('dst_2', 'another');
      expect((await store().destination('dst_2'))!.wrongCodes).toBe(3);
      expect(await store().verifyDestination('dst_2', { codeHash: 'another', address: '', sealed: '' })).toBe(false);
      expect(await store().verifyDestination('dst_2', { codeHash: 'ab', address: 'Chat', sealed: 'x' })).toBe(true);
      expect(await store().verifyDestination('dst_2', { codeHash: 'ab', address: '', sealed: '' })).toBe(false);
      expect(await store().destination('dst_2')).toEqual({
        ...unlinked,
        address: 'Chat',
        sealed: 'x',
        state: 'active',
        codeHash: null,
        codeExpiresAt: null,
        wrongCodes: 0,
      });
      expect(await store().destination('dst_9')).toBeUndefined();
    });

    test('codes are counted by address, and an address that unsubscribed from one is suppressed', async () => {
      const waiting = destination('dst_1', {
        addressHash: 'h',
        state: 'unverified',
        codeHash: 'c',
        codeExpiresAt: 900,
      });
      const code = { type: 'code', firing: null, createdAt: 500, destination: 'dst_1' };
      await store().writeDestinations([waiting], [message('1a', code), message('1b', { ...code, createdAt: 400 })]);
      expect(await store().codesSince(450)).toEqual([{ account: 'pub_a', addressHash: 'h', at: 500 }]);
      expect(await store().isSuppressed('h', 0)).toBe(false);
      await store().changeDestination('dst_1', { state: 'unsubscribed' });
      expect(await store().isSuppressed('h', 0)).toBe(true);
      expect(await store().isSuppressed('h', 901)).toBe(false);
      await store().deleteDestination('dst_1');
      expect(await store().isSuppressed('h', 0)).toBe(false);
      await store().suppress('h', 700);
      await store().suppress('h', 800);
      expect([await store().isSuppressed('h', 800), await store().isSuppressed('h', 801)]).toEqual([true, false]);
      // One that was verified and unsubscribed later may ask for a new code.
      await store().putDestination(destination('dst_2', { addressHash: 'k', state: 'unsubscribed' }));
      expect(await store().isSuppressed('k', 0)).toBe(false);
    });

    test('a delivery changes the address or the state of a destination', async () => {
      await store().putDestination(destination('dst_1'));
      await store().changeDestination('dst_1', { sealed: 'moved' });
      await store().changeDestination('dst_1', { state: 'unsubscribed' });
      expect(await store().destination('dst_1')).toEqual(
        destination('dst_1', { sealed: 'moved', state: 'unsubscribed' }),
      );
    });

    test('an account has an address once', async () => {
      await store().putDestination(destination('dst_1', { addressHash: 'h' }));
      await store().putDestination(destination('dst_2', { addressHash: 'h', account: 'pub_b' }));
      expect(await refusalOf(store().putDestination(destination('dst_3', { addressHash: 'h' })))).toBeInstanceOf(Error);
    });

    test('are deleted with their messages, and removed from alerts and subscriptions', async () => {
      await fill('1a 2a');
      await current().alerts.putAlert(alert('alr_1', { deliver: ['dst_1', 'dst_2'] }));
      await current().alerts.putSubscription(subscription('sub_1', { deliver: ['dst_1'] }));
      await store().deleteDestination('dst_1');
      expect((await store().messages('pub_a', { limit: 9 })).map(({ id }) => id)).toEqual(['2a']);
      expect((await current().alerts.alerts())[0]!.deliver).toEqual(['dst_2']);
      expect((await current().alerts.subscriptions())[0]!.deliver).toEqual([]);
      expect(shown(await lease(5_000))).toEqual([['dst_2', '2a']]);
    });
  });

  describe('the outbox', () => {
    test('leases destinations that are due to one worker, with their messages in order', async () => {
      await fill('1a 2a 1b 3a 1c');
      expect(await lease(1_999)).toEqual([]);
      const leased = await lease(2_000, { messages: 2 });
      expect(shown(leased).sort()).toEqual([
        ['dst_1', '1a', '1b'],
        ['dst_2', '2a'],
        ['dst_3', '3a'],
      ]);
      expect(leased[0]).toMatchObject({ failures: 0, failingSince: null });
      expect(await lease(2_000, { worker: 'w2' })).toEqual([]);
      await store().complete('w1', [delivered('1a', 2_100), delivered('1b', 2_200)], [given('dst_1')]);
      expect(shown(await lease(2_300, { worker: 'w2' }))).toEqual([['dst_1', '1c']]);
    });

    test('leases only so many destinations, those that wait longest first', async () => {
      await fill('1a', { notBefore: 2_300 });
      await fill('2a', { notBefore: 2_100 });
      await fill('3a', { notBefore: 2_200 });
      expect(shown(await lease(9_000, { destinations: 2 }))).toEqual([
        ['dst_2', '2a'],
        ['dst_3', '3a'],
      ]);
      expect(shown(await lease(9_000, { destinations: 2 }))).toEqual([['dst_1', '1a']]);
    });

    test('leases only channels that the worker has, no accounts that must wait, and what the worker accepts', async () => {
      await fill('1a 2a 3a 4a');
      await store().putDestination(destination('dst_2', { channel: 'email' }));
      await store().putDestination(destination('dst_3', { account: 'pub_b' }));
      const only = { channels: [leasable('webhook', 'pub_x', 'pub_b')] };
      expect(await store().nextDue({ channels: [leasable('push')] })).toBeNull();
      expect(await store().nextDue(only)).toBe(2_000);
      expect(shown(await lease(2_000, { only, accepts: ({ id }) => id !== 'dst_1' }))).toEqual([['dst_4', '4a']]);
      expect(shown(await lease(2_000, { only }))).toEqual([['dst_1', '1a']]);
      expect(shown(await lease(2_000, { only: { channels: [leasable('email', 'pub')] } }))).toEqual([['dst_2', '2a']]);
      expect(shown(await lease(2_000))).toEqual([['dst_3', '3a']]);
    });

    test('has a clock that workers share, or that of this machine', async () => {
      const clock = await store().clock();
      if (clock !== null) expect(Math.abs(clock - Date.now())).toBeLessThan(60_000);
    });

    test('the oldest message of a destination holds up those behind it', async () => {
      await fill('1a 1b');
      await fill('1c', { notBefore: 1_000 });
      await lease(2_000);
      const retry = { id: '1a', result: 'retry', at: 2_500, nextAt: 4_000, reason: '500' } as const;
      await store().complete('w1', [retry], [given('dst_1', 3_000, 1)]);
      expect(await lease(3_999)).toEqual([]);
      expect(await store().nextDue()).toBe(4_000);
      const [again] = await lease(4_000);
      expect(shown([again!])).toEqual([['dst_1', '1a', '1b', '1c']]);
      expect(again).toMatchObject({ failures: 1, failingSince: 1 });
      expect(again!.messages[0]).toMatchObject({ attempts: 1, firstAttemptAt: 2_500, reason: '500', nextAt: 4_000 });
    });

    test('a delayed message holds up nothing until it is due, and then comes first', async () => {
      await fill('1a', { notBefore: 8_000 });
      expect([await lease(2_000), await store().nextDue()]).toEqual([[], 8_000]);
      await fill('1b 1c');
      expect(await store().nextDue()).toBe(2_000);
      expect(shown(await lease(2_000))).toEqual([['dst_1', '1b', '1c']]);
      await store().complete('w1', [delivered('1b', 2_001)], [given('dst_1')]);
      expect(await store().nextDue()).toBe(2_000);
      expect(shown(await lease(7_999))).toEqual([['dst_1', '1c']]);
      await store().complete('w1', [], [given('dst_1')]);
      expect(shown(await lease(8_000))).toEqual([['dst_1', '1a', '1c']]);
      const retry = { id: '1a', result: 'retry', at: 8_100, nextAt: 9_000, reason: '500' } as const;
      await store().complete('w1', [retry], [given('dst_1', 8_500, 1)]);
      // Now it holds up those behind it.
      expect([await lease(8_600), await store().nextDue()]).toEqual([[], 9_000]);
      expect(shown(await lease(9_000))).toEqual([['dst_1', '1a', '1c']]);
    });

    test('a new message does not wake a destination that failed', async () => {
      await fill('1a');
      await lease(2_000);
      const retry = { id: '1a', result: 'retry', at: 2_100, nextAt: 9_000, reason: '500' } as const;
      await store().complete('w1', [retry], [given('dst_1', 9_000, 1)]);
      await fill('1b');
      expect(await store().nextDue()).toBe(9_000);
    });

    test('messages of a destination that were due before a time are given up with it', async () => {
      await fill('1a 2a');
      await fill('1b', { notBefore: 3_000 });
      await fill('1c', { notBefore: 3_001 });
      await lease(4_000);
      const dead = { id: '1a', result: 'dead', at: 4_100, reason: 'too old' } as const;
      const giveUp = { notAfter: 3_000, reason: 'too old' };
      await store().complete('w1', [dead], [{ ...given('dst_1', 5_000, 8), giveUp }]);
      expect(await store().message('1b')).toMatchObject({ state: 'dead', reason: 'too old', attempts: 0 });
      expect((await store().messages('pub_a', { limit: 9, state: 'waiting' })).map(({ id }) => id)).toEqual([
        '1c',
        '2a',
      ]);
      expect(shown(await lease(5_000))).toEqual([['dst_1', '1c']]);
    });

    test('a destination is given back until a time', async () => {
      await fill('1a');
      await lease(2_000);
      await store().complete('w1', [], [given('dst_1', 6_000)]);
      expect([await lease(5_999), await store().nextDue()]).toEqual([[], 6_000]);
      expect(shown(await lease(6_000))).toEqual([['dst_1', '1a']]);
    });

    test('a message written while its destination is leased waits for the release', async () => {
      await fill('1a');
      await lease(2_000);
      await fill('1b');
      expect(await lease(2_500, { worker: 'w2' })).toEqual([]);
      await store().complete('w1', [delivered('1a', 2_600)], [given('dst_1')]);
      expect(shown(await lease(2_700, { worker: 'w2' }))).toEqual([['dst_1', '1b']]);
    });

    test('a lease ends at its time, can be renewed before, and only deliveries of a lost one count', async () => {
      await fill('1a 1b 2a 2b');
      await lease(2_000, { until: 4_000 });
      expect((await store().renew('w1', ['dst_1'], 8_000)).sort()).toEqual(['dst_1']);
      expect(shown(await lease(4_000, { worker: 'w2' }))).toEqual([['dst_2', '2a', '2b']]);
      expect(await store().renew('w1', ['dst_1', 'dst_2'], 8_000)).toEqual(['dst_1']);
      const lost = { id: '2b', result: 'dead', at: 4_100, reason: 'x' } as const;
      await store().complete('w1', [delivered('2a', 4_100), delivered('1a', 4_100), lost], [given('dst_2')]);
      expect((await store().message('2a'))?.state).toBe('delivered');
      expect((await store().message('2b'))?.state).toBe('waiting');
      expect((await store().message('1a'))?.state).toBe('delivered');
      expect(await lease(4_200, { worker: 'w3' })).toEqual([]);
      expect(shown(await lease(8_000, { worker: 'w3' }))).toEqual([['dst_1', '1b']]);
    });

    test('a lease is not renewed if its destination unsubscribed', async () => {
      await fill('1a 2a');
      await lease(2_000);
      await store().changeDestination('dst_2', { state: 'unsubscribed' });
      expect(await store().renew('w1', ['dst_1', 'dst_2'], 8_000)).toEqual(['dst_1']);
    });

    test('a worker that starts again ends the leases that it does not use, and of no other worker', async () => {
      await fill('1a 2a');
      await lease(2_000, { destinations: 1 });
      await lease(2_000, { worker: 'w2', destinations: 1 });
      await store().endLeases('w1', ['dst_1', 'dst_2']);
      expect(await lease(2_001, { worker: 'w3' })).toEqual([]);
      await store().endLeases('w1', ['dst_2']);
      const again = await lease(2_001, { worker: 'w3' });
      expect(again).toHaveLength(1);
      expect(await store().renew('w2', ['dst_1', 'dst_2'], 9_000)).toHaveLength(1);
    });

    test('a destination whose worker died after its last outcome becomes idle', async () => {
      await fill('1a');
      await lease(2_000, { until: 4_000 });
      await store().complete('w1', [delivered('1a', 2_100)], []);
      expect(await store().nextDue()).toBe(4_000);
      expect(await lease(4_000, { worker: 'w2' })).toEqual([]);
      expect(await store().nextDue()).toBeNull();
      await fill('1b');
      expect(shown(await lease(4_100, { worker: 'w2' }))).toEqual([['dst_1', '1b']]);
    });

    test('a delivered message stays delivered', async () => {
      await fill('1a 1b');
      await lease(2_000);
      await store().complete('w1', [delivered('1a', 2_100)], []);
      await store().complete('w1', [{ id: '1a', result: 'dead', at: 2_200, reason: 'late' }], []);
      expect(await store().message('1a')).toMatchObject({ state: 'delivered', deliveredAt: 2_100, attempts: 1 });
    });

    test('a message with an id that exists is not written again', async () => {
      await fill('1a');
      await fill('1a');
      expect(await store().counts()).toEqual({ waiting: 1, dead: 0 });
    });

    test('keeps any text', async () => {
      await fill('1a', { title: '"\\ \t\n€ 😀', body: '{"a":"\\u0000\\\\"}' });
      expect(await store().message('1a')).toMatchObject({ title: '"\\ \t\n€ 😀', body: '{"a":"\\u0000\\\\"}' });
      await lease(2_000);
      const reason = 'answered \u0000 \ud800';
      await store().complete('w1', [{ id: '1a', result: 'dead', at: 1, reason }], [given('dst_1')]);
      expect((await store().message('1a'))?.reason).toStartWith('answered');
    });

    test('dead messages let others pass, and a replayed one waits behind them', async () => {
      await fill('1a 1b');
      await lease(2_000);
      const dead = { id: '1a', result: 'dead', at: 2_100, reason: '410 Gone' } as const;
      await store().complete('w1', [dead], [given('dst_1')]);
      expect(await store().message('1a')).toMatchObject({ state: 'dead', reason: '410 Gone', deliveredAt: null });
      expect(await store().counts()).toEqual({ waiting: 1, dead: 1 });
      expect(await store().replay('1b', 3_000)).toBe(false);
      expect(await store().replay('none', 3_000)).toBe(false);
      expect(await store().replay('1a', 3_000)).toBe(true);
      expect(await store().replay('1a', 3_000)).toBe(false);
      const [leased] = await lease(3_000);
      expect(leased!.messages.map(({ id }) => id)).toEqual(['1b', '1a']);
      expect(leased!.messages[1]).toMatchObject({ attempts: 1, firstAttemptAt: null, notBefore: 3_000 });
    });

    test('a code is not replayed', async () => {
      await fill('1a', { type: 'code', refused: 'x' });
      expect(await store().replay('1a', 3_000)).toBe(false);
    });

    test('a replayed message wakes an idle destination', async () => {
      await fill('1a');
      await lease(2_000);
      await store().complete('w1', [{ id: '1a', result: 'dead', at: 2_100, reason: 'x' }], [given('dst_1')]);
      expect(await store().nextDue()).toBeNull();
      await store().replay('1a', 7_000);
      expect(await store().nextDue()).toBe(7_000);
    });

    test('lists messages newest first, by state, destination and alert, page by page', async () => {
      await fill('1a 2a 1b 2b');
      await fill('1c', { alert: 'alr_1' });
      await fill('9z', { account: 'pub_b' });
      await lease(2_000, { destinations: 1, messages: 1 });
      await store().complete('w1', [{ id: '1a', result: 'dead', at: 2_100, reason: 'x' }], []);
      const idsOf = async (query: Partial<Parameters<DeliveryStore['messages']>[1]>) =>
        (await store().messages('pub_a', { limit: 9, ...query })).map(({ id }) => id).join(' ');
      expect(await idsOf({})).toBe('1c 2b 1b 2a 1a');
      expect(await idsOf({ limit: 2, before: '2b' })).toBe('1b 2a');
      expect(await idsOf({ state: 'dead' })).toBe('1a');
      expect(await idsOf({ state: 'waiting', destination: 'dst_1' })).toBe('1c 1b');
      expect(await idsOf({ alert: 'alr_1' })).toBe('1c');
    });

    test('knows how delivery to each destination goes', async () => {
      await fill('1a 1b 1c 2a');
      await lease(2_000);
      const retry = { id: '1b', result: 'retry', at: 2_200, nextAt: 4_000, reason: '503' } as const;
      await store().complete('w1', [delivered('1a', 2_100), retry], [given('dst_1', 0, 1)]);
      const states = await store().destinationStates('pub_a');
      expect(states.get('dst_1')).toEqual({ waiting: 2, failures: 1, lastDeliveredAt: 2_100, failure: '503' });
      expect(states.get('dst_2')).toEqual({ waiting: 1, failures: 0, lastDeliveredAt: null, failure: null });
      await lease(4_000);
      await store().complete('w1', [delivered('1b', 4_100)], [given('dst_1')]);
      const later = await store().destinationStates('pub_a');
      expect(later.get('dst_1')).toEqual({ waiting: 1, failures: 0, lastDeliveredAt: 4_100, failure: null });
    });

    test('prunes old messages that do not wait, and counts those written since a time', async () => {
      await fill('1a 1b', { createdAt: 1_000 });
      await fill('1c', { createdAt: 3_000 });
      await fill('2a', { createdAt: 3_000, account: 'pub_b' });
      await lease(2_000, { destinations: 1, messages: 1 });
      await store().complete('w1', [delivered('1a', 2_100)], [given('dst_1')]);
      expect(Object.fromEntries(await store().writtenSince(2_000))).toEqual({ pub_a: 1, pub_b: 1 });
      expect(await store().pruneMessages(2_000, 9)).toBe(1);
      expect((await store().messages('pub_a', { limit: 9 })).map(({ id }) => id)).toEqual(['1c', '1b']);
    });

    test('gives up so many waiting messages at a time that were due before a time', async () => {
      await fill('1a 1b 1c 2a');
      await fill('2b', { notBefore: 5_000 });
      expect(await store().giveUpMessages(5_000, 3, 'too old')).toBe(3);
      expect(await store().giveUpMessages(5_000, 3, 'too old')).toBe(1);
      expect(await store().giveUpMessages(5_000, 3, 'too old')).toBe(0);
      expect(await store().message('1a')).toMatchObject({ state: 'dead', reason: 'too old', attempts: 0 });
      expect(shown(await lease(5_000))).toEqual([['dst_2', '2b']]);
    });

    test('prunes so many messages at a time, oldest first', async () => {
      for (const [index, id] of ['1a', '1b', '1c'].entries())
        await fill(id, { createdAt: 1_000 + index, refused: 'not allowed' });
      expect(await store().pruneMessages(2_000, 2)).toBe(2);
      expect((await store().messages('pub_a', { limit: 9 })).map(({ id }) => id)).toEqual(['1c']);
      expect(await store().pruneMessages(2_000, 2)).toBe(1);
    });
  });
}
