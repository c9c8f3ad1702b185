// The pages that are not part of the first load. One module, because each further one would split the first load as well.
export { AlertsPage } from '../alerts/alerts-page.tsx';
export { CalendarPage } from '../calendar/calendar-page.tsx';
export { NewsPage } from '../news/news-page.tsx';
export { openShortcutsDialog } from '../palette/shortcuts-dialog.tsx';
export { Ranking } from '../publishers/ranking.tsx';
export { TrackRecordView } from '../publishers/track-record.tsx';
export { SettingsPage } from '../settings/settings-page.tsx';
export { PublishPage } from '../signals/publish-page.tsx';
export { SignalView } from '../signals/signal-view.tsx';
export { showFirstSteps } from './first-steps.tsx';
export { AccountNeededPage, NotFoundPage, UnknownInstrumentPage } from './unopened-pages.tsx';
