import { expect, test } from 'bun:test';
import type { Alert } from '@tickwire/client';
import { usualDestinations } from '../services/account-alerts.ts';
import { chartAlertActions, chartAlerts } from './chart-alert-actions.ts';

const alert = (id: string, more: Partial<Alert> = {}): Alert => ({
  id,
  symbol: 'EURUSD',
  condition: { type: 'price', cross: 'either', level: 1.2, side: 'bid' },
  repeat: 'once',
  interval: null,
  cooldown_seconds: 0,
  expires_at: null,
  deliver: [],
  note: null,
  state: 'active',
  not_checked: null,
  created_at: '2026-03-02T10:00:00.000Z',
  fired: 0,
  last_fired_at: null,
  ...more,
});
const telegram = { channel: 'telegram', destination: 'dst_1', address: 'Desk' } as const;
const terminal = { channel: 'in_app', destination: null, address: 'terminal' } as const;

/** Services that record what happens. */
function recorded(alerts: readonly Alert[], fails = false) {
  const done: unknown[] = [];
  const call = (name: string) => async (id: unknown, change?: unknown) => {
    done.push([name, id, ...(change === undefined ? [] : [change])]);
    if (fails) throw new Error('refused');
    return { ...alert('new'), created_destinations: [] };
  };
  const services = {
    client: { createAlert: call('create'), changeAlert: call('change'), deleteAlert: call('delete') },
    accountAlerts: {
      alerts,
      put: ({ id, condition }: Alert) => done.push(['put', id, condition]),
      remove: (id: string) => done.push(['remove', id]),
      reload: () => done.push(['reload']),
    },
    notifier: { show: () => undefined, reportError: () => done.push(['error']) },
    quotes: { row: () => ({ digits: 5 }) },
  };
  return { done, actions: chartAlertActions(services as never, () => 'EURUSD') };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a new alert goes where the newest alert that leaves the terminal goes', async () => {
  const before = [alert('3', { deliver: [terminal] }), alert('2', { deliver: [terminal, telegram] }), alert('1')];
  expect(usualDestinations(before)).toEqual([{ destination: 'dst_1' }]);
  expect(usualDestinations([alert('1')])).toEqual([]);
  const { done, actions } = recorded(before);
  actions.create(1.085);
  await settled();
  const condition = { type: 'price', cross: 'either', level: 1.085, side: 'bid' };
  expect(done[0]).toEqual(['create', { symbol: 'EURUSD', condition, deliver: [{ destination: 'dst_1' }] }]);
  expect(done[1]).toMatchObject(['put', 'new', {}]);
});

test('a moved line changes the level only, at once, and goes back if the service refuses', async () => {
  const { done, actions } = recorded([alert('1')], true);
  actions.move('1', 1.3);
  await settled();
  const condition = { type: 'price', cross: 'either', level: 1.3, side: 'bid' };
  expect(done).toEqual([['put', '1', condition], ['change', '1', { condition }], ['error'], ['reload']]);
});

test('an alert is removed', async () => {
  const { done, actions } = recorded([alert('1')]);
  actions.remove('1');
  await settled();
  expect(done).toEqual([
    ['delete', '1'],
    ['remove', '1'],
  ]);
});

test('a line has the note of its alert, shortened', () => {
  const notes = [null, 'Sell half', 'Sell half of everything'].map((note) => ({
    alert: alert('1', { note }),
    price: 1,
  }));
  expect(chartAlerts(notes).map(({ title }) => title)).toEqual(['alert', 'Sell half', 'Sell half of ever…']);
});
