// What the account has used over the last hour, day or month, against what its tier allows, and by key.
import type { UsageHistory } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import { figure } from '../format.ts';
import { zoned } from '../moments.ts';
import { type Column, table } from '../table.ts';
import { Part } from './part.ts';
import type { Section, SettingsContext } from './section.ts';
import { usageChart } from './usage-chart.ts';

type Period = UsageHistory['period'];
type ByKey = UsageHistory['keys'][number];

const PERIODS: readonly (readonly [Period, string])[] = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['month', 'Month'],
];
const PER: Readonly<Record<Period, string>> = { hour: 'a minute', day: 'an hour', month: 'a day' };
const clock = zoned({ hour: '2-digit', minute: '2-digit' });
/** Points of a month are days of the service, which are those of UTC. */
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const TIME_OF: Readonly<Record<Period, (ms: number) => string>> = {
  hour: clock,
  day: clock,
  month: (ms) => day.format(ms),
};
const DAY_SECONDS = 86_400;
/** So often what is shown is asked for anew. */
const AGAIN_MS = 20_000;

export const USAGE: Section = {
  id: 'usage',
  title: 'Usage',
  intro:
    'What your keys and this terminal have used. The terminal has an allowance of its own, beside that of your tier.',
  show: (context) => [usage(context)],
};

function usage(context: SettingsContext): HTMLElement {
  let period: Period = 'hour';
  const part = Part.live(async () => shown(await context.client.usageHistory({ period })), context, AGAIN_MS);
  const choices = PERIODS.map(([each, title]) => {
    const choice = button(title, 'timeframe', () => {
      period = each;
      press();
      void part.refresh();
    });
    return { each, choice };
  });
  const press = () => {
    for (const { each, choice } of choices) choice.setAttribute('aria-pressed', String(each === period));
  };
  press();
  const bar = box('fieldset', 'timeframes', ...choices.map(({ choice }) => choice));
  bar.setAttribute('aria-label', 'Period');
  return box('section', 'settings-panel', bar, part.element);
}

function shown({ period, step_seconds, limits, points, keys }: UsageHistory): readonly Node[] {
  const times = points.map(({ time }) => time);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const requests = points.map((point) => point.requests);
  const streams = points.map((point) => point.stream_seconds / step_seconds);
  const calls = points.map((point) => point.ai_calls);
  const common = { times, per: PER[period], timeOf: TIME_OF[period] };
  const charts = box(
    'div',
    'usages',
    usageChart({
      ...common,
      title: 'Requests',
      total: figure(sum(requests)),
      values: requests,
      limit: (limits.requests_per_minute * step_seconds) / 60,
    }),
    usageChart({
      ...common,
      title: 'Streams open, on average',
      total: figure(streams.at(-1) ?? 0),
      values: streams,
      limit: limits.streams,
      least: 1,
      per: 'at once',
    }),
    usageChart({
      ...common,
      title: 'AI calls',
      total: figure(sum(calls)),
      values: calls,
      limit: limits.ai_calls_per_day,
      // The allowance is for a day, however finely it is looked at.
      per: PER.month,
      together: step_seconds < DAY_SECONDS,
    }),
  );
  return [charts, make('h2', 'table-title', 'By key'), table('Usage by key', COLUMNS, keys, 'Nothing was used.')];
}

const COLUMNS: readonly Column<ByKey>[] = [
  { head: 'Key', cell: ({ key, name }) => (key === null ? 'Signed-in terminal' : (name ?? key)) },
  { head: 'Requests', cell: ({ requests }) => figure(requests), numeric: true },
  { head: 'Errors', cell: ({ errors }) => figure(errors), numeric: true },
  { head: 'AI calls', cell: ({ ai_calls }) => figure(ai_calls), numeric: true },
  { head: 'Stream hours', cell: ({ stream_seconds }) => figure(stream_seconds / 3_600), numeric: true },
];
