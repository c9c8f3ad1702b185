// The pages that are not part of the first load. One module, because each further one would split the first load as well.
export { Ranking } from '../publishers/ranking.tsx';
export { TrackRecordView } from '../publishers/track-record.tsx';
export { PublishPage } from '../signals/publish-page.tsx';
export { SignalView } from '../signals/signal-view.tsx';
