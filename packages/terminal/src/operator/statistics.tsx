// Operator: the service in figures, and how they changed since this section was opened.
import type { SessionStatistics } from '@tickwire/client';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { duration, figure } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { clockOf, exactly } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Facts } from '../ui/table.tsx';
import { FigureChart, HEIGHT } from '../ui/usage-chart.tsx';
import { History, line, type Sample } from './history.ts';

const REFRESH_MS = 5_000;
/** One hour. */
const SAMPLES = 720;
const WIDTH = 300;
/** A line at the very top or bottom keeps its full width. */
const EDGE = 2;

const COUNTS = [
  ['Active instruments', 'instruments_active'],
  ['Connected streams', 'clients_connected'],
  ['Active signals', 'signals_active'],
] as const;

export function Statistics({ client }: Pick<TerminalServices, 'client'>) {
  const [charts] = useState(() => COUNTS.map(([title, name]) => ({ title, name, history: new History(SAMPLES) })));
  const statistics = useRemote(async (): Promise<SessionStatistics> => {
    const now = await client.session();
    for (const { name, history } of charts) history.add(Date.parse(now.server_time), now[name]);
    return now;
  });
  return (
    <Panel title="Now">
      <RemoteSection remote={statistics} everyMs={REFRESH_MS}>
        {({ uptime_seconds, server_time, ai_models_available: models }) => (
          <>
            <div class="usages">
              {charts.map(({ title, history }) => (
                <Trend key={title} title={title} samples={[...history.samples]} />
              ))}
            </div>
            <Facts
              entries={[
                ['Uptime', duration(uptime_seconds)],
                ['Server time', exactly(Date.parse(server_time))],
                ['AI models', models.length === 0 ? 'none ready' : models.join(', ')],
              ]}
            />
          </>
        )}
      </RemoteSection>
    </Panel>
  );
}

function Trend({ title, samples }: { readonly title: string; readonly samples: readonly Sample[] }) {
  const values = samples.map(({ value }) => value);
  const now = figure(values.at(-1) ?? 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const text = low === high ? `constant at ${figure(low)}` : `between ${figure(low)} and ${figure(high)}`;
  const points = line(samples, WIDTH, HEIGHT - 2 * EDGE).map(([x, y]) => `${x.toFixed(1)},${(y + EDGE).toFixed(1)}`);
  const clock = (at: number | undefined): string => (at === undefined ? '' : clockOf(at));
  return (
    <FigureChart
      title={title}
      figure={now}
      label={`${now} now, ${text} since you opened this section`}
      text={text}
      axis={[clock(samples[0]?.at), clock(samples.at(-1)?.at)]}
      width={WIDTH}
      class="trends"
    >
      <polyline class="trend" points={points.join(' ')} />
    </FigureChart>
  );
}
