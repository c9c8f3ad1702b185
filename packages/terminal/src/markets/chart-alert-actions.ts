// What the chart does with alerts: creates one at a price, moves its level, removes it.
import type { AlertActions } from '../chart/chart-alerts.ts';
import type { ChartAlert } from '../chart/frame/overlays.ts';
import { type AlertLevel, usualDestinations, withLevel } from '../services/account-alerts.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { price as priceText } from '../ui/format.ts';

type Services = Pick<TerminalServices, 'client' | 'accountAlerts' | 'notifier' | 'quotes'>;

export function chartAlertActions(services: Services, symbolOf: () => string): AlertActions {
  const { client, accountAlerts, notifier, quotes } = services;
  const written = (symbol: string, price: number): string => priceText(price, quotes.row(symbol)?.digits ?? 5);
  const run = (what: string, act: () => Promise<void>): void => {
    act().catch((error: unknown) => {
      notifier.reportError(error, what);
      // The line goes back to where the service has it.
      accountAlerts.reload();
    });
  };
  return {
    create: (price) =>
      run('Alert', async () => {
        const symbol = symbolOf();
        const deliver = usualDestinations(accountAlerts.alerts);
        const condition = { type: 'price', cross: 'either', level: price, side: 'bid' } as const;
        const { created_destinations: _created, ...alert } = await client.createAlert({ symbol, condition, deliver });
        accountAlerts.put(alert);
        notifier.show(`Alert set: ${symbol} crosses ${written(symbol, price)}.`);
      }),
    move: (id, price) =>
      run('Alert', async () => {
        const before = accountAlerts.alerts.find((alert) => alert.id === id);
        if (!before) return;
        const condition = withLevel(before.condition, price);
        // At once: the line must not jump back while the request is under way.
        accountAlerts.put({ ...before, condition });
        const { created_destinations: _created, ...alert } = await client.changeAlert(id, { condition });
        accountAlerts.put(alert);
        notifier.show(`Alert moved to ${written(symbolOf(), price)}.`);
      }),
    remove: (id) =>
      run('Alert', async () => {
        await client.deleteAlert(id);
        accountAlerts.remove(id);
        notifier.show('Alert removed.');
      }),
  };
}

export const chartAlerts = (levels: readonly AlertLevel[]): readonly ChartAlert[] =>
  levels.map(({ alert: { id, note }, price }) => ({ id, price, title: note === null ? 'alert' : shortNote(note) }));

const MAX_TITLE = 18;
const shortNote = (note: string): string => (note.length > MAX_TITLE ? `${note.slice(0, MAX_TITLE - 1)}…` : note);
