// Publishers: the ranking, or the track record of one if the address has a name.
import type { TerminalServices } from '../services/terminal-services.ts';
import { componentPage } from '../ui/component-page.tsx';
import type { Page } from '../ui/page.ts';
import { Ranking } from './ranking.tsx';
import { TrackRecordView } from './track-record.tsx';

type Services = Pick<TerminalServices, 'client' | 'session' | 'activeSignals' | 'notifier'>;

export function openPublishersPage(services: Services, [name]: readonly string[]): Page {
  return componentPage({
    title: `${name ?? 'Publishers'} · Tickwire`,
    view: () => (name === undefined ? <Ranking {...services} /> : <TrackRecordView {...services} name={name} />),
    onSessionExpired: services.session.end,
  });
}
