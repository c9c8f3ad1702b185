// Publishers: the ranking, or the track record of one if the address has a name.
import type { TerminalServices } from '../services/terminal-services.ts';
import type { PageView } from '../ui/page.ts';
import { Ranking } from './ranking.tsx';
import { TrackRecordView } from './track-record.tsx';

type Services = Pick<TerminalServices, 'client' | 'activeSignals' | 'notifier'>;

export function openPublishersPage(services: Services, [name]: readonly string[]): PageView {
  return {
    title: `${name ?? 'Publishers'} · Tickwire`,
    view: name === undefined ? <Ranking {...services} /> : <TrackRecordView {...services} name={name} />,
  };
}
