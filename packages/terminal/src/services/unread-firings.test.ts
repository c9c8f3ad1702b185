import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import type { AccountAlerts, FiredAlert } from './account-alerts.ts';
import { type LastFiring, SHOWN, UnreadFirings } from './unread-firings.ts';

const firing = (n: number): LastFiring => ({
  ...{ id: `fir_${n}`, symbol: 'EURUSD', title: `Crossed ${n}`, note: null, late: false },
  ...{ time: '2026-03-02T10:00:00.000Z', fired_at: new Date(Date.UTC(2026, 2, 2, 10, 0, n)).toISOString() },
});

/** An account on one device. `stored` is what the account keeps for all of them. */
async function device(stored: Map<string, object>, served: readonly LastFiring[], simulated = false) {
  type Listener = Parameters<AccountAlerts['subscribe']>[1];
  let tell: Listener = () => undefined;
  const services = {
    client: { firings: async () => ({ items: served.slice(0, SHOWN) }) },
    documents: {
      read: async (kind: string, name: string) => stored.get(`${kind} ${name}`) ?? null,
      write: async (kind: string, name: string, value: object) => void stored.set(`${kind} ${name}`, value),
    },
    notifier: { reportError: (error: unknown) => expect.unreachable(String(error)) },
    status: { simulated: signal(simulated) },
    accountAlerts: {
      loads: 0,
      subscribe: (_: AbortSignal, listener: Listener) => {
        tell = listener;
      },
    },
  };
  const firings = new UnreadFirings(services as never, new AbortController().signal);
  const load = async (loads = 1): Promise<void> => {
    services.accountAlerts.loads += loads;
    tell({});
    await new Promise((done) => setTimeout(done));
  };
  const ids = (): string[] => firings.unread.value.map(({ id }) => id);
  await load();
  return { firings, ids, load, fire: (n: number) => tell({ firing: firing(n) as FiredAlert }) };
}

test('what fired while no page was open is unread until it is read, on every device', async () => {
  const stored = new Map<string, object>();
  const served = [firing(2), firing(1)];
  const phone = await device(stored, served);
  const desk = await device(stored, served);
  expect(phone.ids()).toEqual(['fir_2', 'fir_1']);
  phone.firings.read();
  expect([phone.ids(), desk.ids()]).toEqual([[], ['fir_2', 'fir_1']]);
  await desk.load();
  expect(desk.ids()).toEqual([]);
  expect((await device(stored, [firing(3), ...served])).ids()).toEqual(['fir_3']);
});

test('a firing that arrives is unread at once, and a later response does not repeat it', async () => {
  const { firings, ids, load, fire } = await device(new Map(), [firing(1)]);
  firings.read();
  fire(2);
  fire(2);
  expect(ids()).toEqual(['fir_2']);
  await load();
  expect(ids()).toEqual(['fir_2']);
});

test('nothing is read before it has been loaded, and only the last firings are kept', async () => {
  const stored = new Map<string, object>();
  const { firings, ids, fire } = await device(stored, []);
  firings.read();
  expect(stored.size).toBe(0);
  for (let n = 1; n <= SHOWN + 5; n++) fire(n);
  expect([ids().length, ids()[0]]).toEqual([SHOWN, `fir_${SHOWN + 5}`]);
});

test('a mark whose firing is no longer among the last ones counts by its time', async () => {
  const stored = new Map<string, object>([['settings read firings', { id: 'fir_gone', at: firing(1).fired_at }]]);
  expect((await device(stored, [firing(2), firing(1)])).ids()).toEqual(['fir_2']);
});

test('simulated and real markets have a mark each', async () => {
  const stored = new Map<string, object>();
  const served = [firing(1)];
  (await device(stored, served)).firings.read();
  const simulated = await device(stored, served, true);
  expect(simulated.ids()).toEqual(['fir_1']);
  simulated.firings.read();
  expect([...stored.keys()]).toEqual(['settings read firings', 'settings read firings (simulated)']);
});

test('an older mark does not make unread what was read, and a change of the alerts loads nothing', async () => {
  const stored = new Map<string, object>();
  const served = [firing(2), firing(1)];
  const { firings, ids, load } = await device(stored, served);
  firings.read();
  for (const old of [{ id: 'fir_1', at: firing(1).fired_at }, {}]) {
    stored.set('settings read firings', old);
    await load();
    expect(ids()).toEqual([]);
  }
  served.unshift(firing(3));
  await load(0);
  expect(ids()).toEqual([]);
  await load();
  expect(ids()).toEqual(['fir_3']);
});
