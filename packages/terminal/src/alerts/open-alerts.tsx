// Opens the alerts page: `/alerts`, `/alerts/new`, `/alerts/log`, `/alerts/deliveries`, `/alerts/destinations`, `/alerts/ID`.
// Its views are not part of the first load.
import type { FunctionComponent } from 'preact';
import type { PageView } from '../ui/page.ts';
import type { AlertServices } from './alert-services.ts';

export interface AlertsPageProps {
  readonly services: AlertServices;
  /** The part of the address behind `/alerts`; '' for the list. */
  readonly view: string;
}

export interface AlertViews {
  readonly AlertsPage: FunctionComponent<AlertsPageProps>;
}

const TITLES: Readonly<Record<string, string>> = {
  '': 'Alerts',
  new: 'New alert',
  log: 'Log of alerts',
  deliveries: 'Deliveries',
  destinations: 'Destinations',
};

export function openAlertsPage(services: AlertServices, path: readonly string[], { AlertsPage }: AlertViews): PageView {
  const [view = ''] = path;
  return {
    title: `${TITLES[view] ?? 'Alert'} · Tickwire`,
    view: <AlertsPage services={services} view={view} />,
    // A new alert may be asked for again with other values in the address.
    navigate: ([next = '']) => next === view && view !== 'new',
  };
}
