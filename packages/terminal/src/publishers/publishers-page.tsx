// Publishers: the ranking, or the track record of one if the address has a name.
import type { FunctionComponent } from 'preact';
import type { TerminalServices } from '../services/terminal-services.ts';
import type { PageView } from '../ui/page.ts';
import type { RankingProps } from './ranking.tsx';
import type { TrackRecordProps } from './track-record.tsx';

type PublisherServices = Pick<
  TerminalServices,
  'client' | 'session' | 'quotes' | 'activeSignals' | 'notifier' | 'status' | 'instruments' | 'navigator'
>;

export interface PublisherViews {
  readonly Ranking: FunctionComponent<RankingProps>;
  readonly TrackRecordView: FunctionComponent<TrackRecordProps>;
}

export function openPublishersPage(
  services: PublisherServices,
  [name]: readonly string[],
  { Ranking, TrackRecordView }: PublisherViews,
): PageView {
  if (name !== undefined) return { title: `${name} · Tickwire`, view: <TrackRecordView {...services} name={name} /> };
  // The filter is in the address: another one is the same page.
  return {
    title: 'Publishers · Tickwire',
    view: <Ranking {...services} />,
    navigate: ([next]) => next === undefined,
  };
}
