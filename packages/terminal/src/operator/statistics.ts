// For the owner: the service in figures, and how they went since this page was opened.
import type { SessionStatistics } from '@tickwire/client';
import { box, make } from '../elements.ts';
import { duration, figure } from '../format.ts';
import { clockOf, exactly } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { shape } from '../settings/usage-chart.ts';
import { History, line } from './history.ts';

const AGAIN_MS = 5_000;
/** An hour of them. */
const KEPT = 720;
const WIDTH = 300;
const HEIGHT = 64;
/** So that a line at the very top or bottom is drawn in its full width. */
const EDGE = 2;

export const STATISTICS: Section = {
  id: 'statistics',
  title: 'Statistics',
  intro:
    'What the service is doing now; an instrument is active that ticked in the last minute. The lines begin when you came here.',
  show: (context) => [statistics(context)],
};

const COUNTS: readonly (readonly [string, (session: SessionStatistics) => number])[] = [
  ['Instruments active', ({ instruments_active }) => instruments_active],
  ['Streams connected', ({ clients_connected }) => clients_connected],
  ['Signals active', ({ signals_active }) => signals_active],
];

function statistics(context: SettingsContext): HTMLElement {
  const histories = COUNTS.map(([title, read]) => ({ title, read, history: new History(KEPT) }));
  const part = Part.live(
    async () => {
      const session = await context.client.session();
      const now = Date.parse(session.server_time);
      for (const { read, history } of histories) history.add(now, read(session));
      const charts = histories.map(({ title, read, history }) => chart(title, read(session), history));
      return [box('div', 'usages', ...charts), facts(session)];
    },
    context,
    AGAIN_MS,
  );
  return panel('Now', part.element);
}

function chart(title: string, now: number, { samples }: History): HTMLElement {
  const picture = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  const points = line(samples, WIDTH, HEIGHT - 2 * EDGE).map(([x, y]) => `${x.toFixed(1)},${(y + EDGE).toFixed(1)}`);
  const drawn = shape('polyline', { points: points.join(' ') });
  drawn.classList.add('trend');
  picture.classList.add('trends');
  picture.append(drawn);
  const values = samples.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const text = low === high ? `${figure(low)} all the time` : `between ${figure(low)} and ${figure(high)}`;
  picture.setAttribute('aria-label', `${title}: ${figure(now)} now, ${text} since you came here`);
  const axis = box('div', 'usage-axis', clock(samples[0]?.at), clock(samples.at(-1)?.at));
  axis.setAttribute('aria-hidden', 'true');
  const head = box('div', 'usage-head', make('h2', '', title), make('b', '', figure(now)));
  return box('figure', 'usage', head, picture, axis, make('figcaption', 'hint', text));
}

const clock = (at: number | undefined): HTMLElement => make('span', '', at === undefined ? '' : clockOf(at));

function facts({ uptime_seconds, server_time, ai_models_available }: SessionStatistics): HTMLElement {
  const entries: readonly (readonly [string, string])[] = [
    ['Up for', duration(uptime_seconds)],
    ['Its clock', exactly(Date.parse(server_time))],
    ['AI models', ai_models_available.length === 0 ? 'none answers' : ai_models_available.join(', ')],
  ];
  return box('dl', 'facts', ...entries.flatMap(([term, text]) => [make('dt', '', term), make('dd', '', text)]));
}
