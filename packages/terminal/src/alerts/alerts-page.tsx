// The alerts page: alerts, what fired, what was delivered, and where to.
import { pathOf } from '../ui/address.ts';
import { AlertEditor } from './alert-editor.tsx';
import { AlertListView } from './alert-list.tsx';
import type { AlertServices } from './alert-services.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { Destinations } from './destinations.tsx';
import { FiringLog } from './firing-log.tsx';
import { SoundSwitch } from './sound-switch.tsx';

interface Props {
  readonly services: AlertServices;
  /** The part of the address behind `/alerts`: '' for the list, `new`, the name of a tab, or the id of an alert. */
  readonly view: string;
}

const TABS = [
  ['', 'Alerts'],
  ['log', 'Log'],
  ['deliveries', 'Deliveries'],
  ['destinations', 'Destinations'],
] as const;

const addressOf = (view: string): string => (view === '' ? '/alerts' : pathOf('alerts', view));

export function AlertsPage(props: Props) {
  const { view } = props;
  const inTab = TABS.some(([name]) => name === view);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard.
    <div class="section alerts" tabIndex={0}>
      <header class="alerts-head line">
        <h1>{view === 'new' ? 'New alert' : inTab ? 'Alerts' : 'Edit alert'}</h1>
        {view !== 'new' && (
          <a class="primary button" href="/alerts/new">
            New alert
          </a>
        )}
      </header>
      <nav class="alerts-tabs line" aria-label="Alerts">
        {TABS.map(([name, title]) => (
          <a key={name} href={addressOf(name)} aria-current={name === view ? 'page' : undefined}>
            {title}
          </a>
        ))}
        <SoundSwitch />
      </nav>
      <OpenView key={view} {...props} />
    </div>
  );
}

function OpenView({ services, view }: Props) {
  switch (view) {
    case '':
      return <AlertListView services={services} />;
    case 'log':
      return <FiringLog services={services} />;
    case 'deliveries':
      return <DeliveryLog services={services} />;
    case 'destinations':
      return <Destinations services={services} />;
    case 'new':
      return <AlertEditor services={services} id={null} />;
    default:
      return <AlertEditor services={services} id={view} />;
  }
}
