// Usage of the account in the last hour, day or month: of its keys, compared with the limits of the tier, and of the signed-in
// terminal, which has separate limits; and by key.
import type { UsageHistory } from '@tickwire/client';
import { useState } from 'preact/hooks';
import { ChoiceBar } from '../ui/button.tsx';
import { figure } from '../ui/format.ts';
import { zoned } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { UsageChart } from '../ui/usage-chart.tsx';
import type { SettingsProps } from './section.ts';

type Period = UsageHistory['period'];

const PERIODS: readonly (readonly [Period, string])[] = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['month', 'Month'],
];
/** The length of a point. */
const PER: Readonly<Record<Period, string>> = { hour: 'per minute', day: 'per hour', month: 'per day' };
const clock = zoned({ hour: '2-digit', minute: '2-digit' });
/** The points of a month are UTC days. */
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const DAY_SECONDS = 86_400;

export function UsageSection({ client }: SettingsProps) {
  const [period, setPeriod] = useState<Period>('hour');
  const usage = useRemote(() => client.usageHistory({ period, detail: true }), [period]);
  return (
    <section class="settings-panel">
      <ChoiceBar label="Period" choices={PERIODS} value={period} onChange={setPeriod} />
      <RemoteSection remote={usage} everyMs={20_000}>
        {(history) => (
          <>
            <UsageCharts {...history} />
            <h2 class="table-title">By key</h2>
            <Table
              caption="Usage by key"
              columns={COLUMNS}
              rows={history.keys}
              keyOf={({ key }) => key ?? ''}
              empty="No usage."
            />
          </>
        )}
      </RemoteSection>
    </section>
  );
}

function UsageCharts({ period, step_seconds, limits, points, sessions }: UsageHistory) {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const ofSessions = sessions?.points ?? [];
  const ofKeys = points.map(({ requests, stream_seconds }, at) => ({
    requests: requests - (ofSessions[at]?.requests ?? 0),
    stream_seconds: stream_seconds - (ofSessions[at]?.stream_seconds ?? 0),
  }));
  const calls = points.map((point) => point.ai_calls);
  const common = {
    times: points.map(({ time }) => time),
    per: PER[period],
    timeOf: period === 'month' ? (ms: number) => day.format(ms) : clock,
  };
  type Traffic = Pick<UsageHistory['points'][number], 'requests' | 'stream_seconds'>;
  const charts = (
    whose: string,
    traffic: readonly Traffic[],
    tier: Pick<UsageHistory['limits'], 'requests_per_minute' | 'streams'> | null,
  ) => {
    const requests = traffic.map((point) => point.requests);
    const streams = traffic.map((point) => point.stream_seconds / step_seconds);
    return (
      <>
        <UsageChart
          {...common}
          title={`Requests of ${whose}`}
          figure={figure(sum(requests))}
          values={requests}
          limit={tier && (tier.requests_per_minute * step_seconds) / 60}
        />
        <UsageChart
          {...common}
          title={`Open streams of ${whose}`}
          figure={figure(streams.at(-1) ?? 0)}
          values={streams}
          limit={tier?.streams ?? null}
          least={1}
          per="open on average"
        />
      </>
    );
  };
  return (
    <>
      <div class="usages">
        {charts('keys', ofKeys, limits)}
        <UsageChart
          {...common}
          title="AI calls"
          figure={figure(sum(calls))}
          values={calls}
          limit={limits.ai_calls_per_day}
          // The limit is per day, whatever the length of a point.
          per={PER.month}
          together={step_seconds < DAY_SECONDS}
        />
      </div>
      <h2 class="table-title">Signed-in terminal</h2>
      <p class="hint">Counted separately from your keys: all your sessions share limits of their own.</p>
      <div class="usages">{charts('the terminal', ofSessions, sessions?.limits ?? null)}</div>
    </>
  );
}

const COLUMNS: readonly Column<UsageHistory['keys'][number]>[] = [
  { head: 'Key', cell: ({ key, name }) => (key === null ? 'Signed-in terminal' : (name ?? key)) },
  { head: 'Requests', cell: ({ requests }) => figure(requests), numeric: true },
  { head: 'Errors', cell: ({ errors }) => figure(errors), numeric: true },
  { head: 'AI calls', cell: ({ ai_calls }) => figure(ai_calls), numeric: true },
  { head: 'Stream hours', cell: ({ stream_seconds }) => figure(stream_seconds / 3_600), numeric: true },
];
