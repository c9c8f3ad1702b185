import { describe, expect, test } from 'bun:test';
import type { Alert, AlertCondition } from '@tickwire/client';
import { AccountAlerts, type AccountAlertsServices, type FiredAlert, levelOf, withLevel } from './account-alerts.ts';

const price = (level: number): AlertCondition => ({ type: 'price', cross: 'above', level, side: 'bid' });
const alertOf = (id: string, more: Partial<Alert> = {}): Alert => ({
  id,
  symbol: 'EURUSD',
  condition: price(1.2),
  repeat: 'once',
  interval: null,
  cooldown_seconds: 0,
  expires_at: null,
  deliver: [],
  note: null,
  state: 'active',
  not_checked: null,
  created_at: `2026-03-02T10:00:0${id}.000Z`,
  fired: 0,
  last_fired_at: null,
  ...more,
});
const firingOf = (alert: Alert): FiredAlert => ({
  id: `fir_${alert.id}`,
  alert_id: alert.id,
  symbol: alert.symbol,
  condition: alert.condition,
  title: 'EURUSD bid crossed above 1.20000',
  note: null,
  time: '2026-03-02T10:14:07.312Z',
  fired_at: '2026-03-02T10:14:07.318Z',
  late: false,
  price: 1.20001,
  event_seq: 7,
});

/** A service whose list comes when the test says so. */
function service({ mayStream = true } = {}) {
  const answers: ((items: readonly Alert[]) => void)[] = [];
  let say: (message: FiredAlert) => void = () => expect.unreachable();
  let streams = 0;
  const services = {
    client: {
      alerts: () => new Promise((resolve) => answers.push((items) => resolve({ items, count: items.length }))),
    },
    streams: {
      open: (_kind: string, _options: object, handlers: { onMessage: typeof say }) => {
        streams++;
        say = handlers.onMessage;
      },
    },
    notifier: { reportError: () => expect.unreachable() },
    mayStream: () => mayStream,
  } as unknown as AccountAlertsServices;
  const alerts = new AccountAlerts(services);
  const answer = async (at: number, items: readonly Alert[]): Promise<void> => {
    answers[at]!(items);
    await new Promise((done) => setTimeout(done));
  };
  return { alerts, answer, say: (message: FiredAlert) => say(message), streams: () => streams };
}

const ids = (alerts: AccountAlerts): string[] => alerts.alerts.map(({ id }) => id);

describe('the alerts of the account', () => {
  test('are listed newest first, with what this page created and without what it deleted', async () => {
    const { alerts, answer } = service();
    alerts.subscribe(new AbortController().signal, () => undefined);
    await answer(0, [alertOf('2'), alertOf('1')]);
    alerts.put(alertOf('3'));
    alerts.remove('1');
    expect(ids(alerts)).toEqual(['3', '2']);
    // A response that is older changes neither.
    alerts.reload();
    await answer(1, [alertOf('2'), alertOf('1')]);
    expect(ids(alerts)).toEqual(['3', '2']);
  });

  test('a firing is reported once, and an alert that fires once is done', async () => {
    const { alerts, answer, say } = service();
    const heard: string[] = [];
    alerts.subscribe(new AbortController().signal, ({ firing }) => firing && heard.push(firing.id));
    const [once, often] = [alertOf('1'), alertOf('2', { repeat: 'every_time' })];
    await answer(0, [often, once]);
    say(firingOf(once));
    say(firingOf(often));
    expect(heard).toEqual(['fir_1', 'fir_2']);
    expect(alerts.alerts.map(({ state, fired, last_fired_at }) => [state, fired, last_fired_at])).toEqual([
      ['active', 1, '2026-03-02T10:14:07.312Z'],
      ['done', 1, '2026-03-02T10:14:07.312Z'],
    ]);
  });

  test('the chart gets the levels of active alerts of its instrument only', async () => {
    const { alerts, answer } = service();
    alerts.subscribe(new AbortController().signal, () => undefined);
    await answer(0, [
      alertOf('1'),
      alertOf('2', { symbol: 'XAUUSD' }),
      alertOf('3', { state: 'paused' }),
      alertOf('4', { condition: { type: 'spread', above: 1 } }),
    ]);
    expect(alerts.levelsOf('EURUSD').map(({ alert, price: level }) => [alert.id, level])).toEqual([['1', 1.2]]);
  });

  test('are loaded without a stream if there are too few', () => {
    const { alerts, streams } = service({ mayStream: false });
    alerts.subscribe(new AbortController().signal, () => undefined);
    expect([alerts.state, streams()]).toEqual(['loading', 0]);
  });
});

test('the level of a condition can be moved, also in a combination, and nothing else changes', () => {
  const spread: AlertCondition = { type: 'spread', above: 0.1 };
  const both: AlertCondition = { type: 'all', of: [{ type: 'spread', above: 0.1 }, price(1.2) as never] };
  expect([levelOf(price(1.2)), levelOf(spread), levelOf(both)]).toEqual([1.2, null, 1.2]);
  expect(withLevel(both, 1.3)).toEqual({ type: 'all', of: [{ type: 'spread', above: 0.1 }, price(1.3) as never] });
  expect(withLevel(spread, 1.3)).toEqual(spread);
});
