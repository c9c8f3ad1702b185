// For the owner: which models there are, which one is asked, what was asked of the day's calls, and how right they were.
import type { AiModel, NewsCalibration, Usage } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import { figure, percent } from '../format.ts';
import { momentElement } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { type Column, table } from '../table.ts';

type Calibrated = NewsCalibration['items'][number];
type Horizon = Calibrated['horizon_minutes'];

const AGAIN_MS = 15_000;

export const MODELS: Section = {
  id: 'models',
  title: 'AI models',
  intro: 'What scores the news and writes briefs here, and how often the market agreed with the scores.',
  show: (context) => [panel('Models', models(context)), panel('How right the scores were', calibration(context))],
};

function models(context: SettingsContext): HTMLElement {
  const load = async (): Promise<readonly Node[]> => {
    const [{ items }, usage] = await Promise.all([context.client.aiModels(), context.client.usage()]);
    return [table('Models', COLUMNS, items, 'There is no model.'), calls(usage)];
  };
  return Part.live(load, context, AGAIN_MS).element;
}

function calls({ ai_calls: { used, limit, resets_at } }: Usage): HTMLElement {
  const text = `You have used ${figure(used)} of ${figure(limit)} AI calls of today. They start over `;
  return box('p', 'intro', text, momentElement(resets_at), '.');
}

const COLUMNS: readonly Column<AiModel>[] = [
  {
    head: 'Model',
    cell: (model) => {
      const made = box('span', 'chips', make('span', 'key-name', model.id));
      if (model.default) made.append(make('span', 'chip good', 'in use'));
      return made;
    },
  },
  {
    head: 'Kind',
    cell: ({ kind }) => (kind === 'local' ? 'part of the service' : 'language model of yours'),
  },
  { head: 'Does', cell: ({ tasks }) => tasks.join(', ') },
  { head: 'Version', cell: ({ version }) => make('code', '', version) },
  {
    head: 'State',
    cell: ({ available }) =>
      make('span', available ? 'chip good' : 'chip bad', available ? 'answers' : 'does not answer'),
  },
];

const HORIZONS: readonly (readonly [Horizon, string])[] = [
  [15, '15 min later'],
  [60, '1 h later'],
  [240, '4 h later'],
];

function calibration(context: SettingsContext): HTMLElement {
  let horizon: Horizon = 60;
  const part = Part.live(async () => calibrated(await context.client.newsCalibration(), horizon), context, AGAIN_MS);
  const choices = HORIZONS.map(([each, text]) => ({
    each,
    choice: button(text, 'timeframe', () => {
      horizon = each;
      press();
      void part.refresh();
    }),
  }));
  const press = (): void => {
    for (const { each, choice } of choices) choice.setAttribute('aria-pressed', String(each === horizon));
  };
  press();
  const bar = box('fieldset', 'timeframes', ...choices.map(({ choice }) => choice));
  bar.setAttribute('aria-label', 'How long after the news');
  return box('div', 'part', bar, part.element);
}

function calibrated({ items, since }: NewsCalibration, horizon: Horizon): readonly Node[] {
  const shown = items.filter(({ horizon_minutes }) => horizon_minutes === horizon);
  const nodes: Node[] = [
    table('Calibration', CALIBRATION, shown, 'No news is old enough yet to see what the market did after it.'),
  ];
  if (since !== null) nodes.unshift(box('p', 'intro', 'The first news that counts came ', momentElement(since), '.'));
  return nodes;
}

/** In whole percent, without a sign. */
const rate = (fraction: number | null): string => (fraction === null ? '–' : `${figure(Math.round(fraction * 100))}%`);

const CALIBRATION: readonly Column<Calibrated>[] = [
  { head: 'Label', cell: ({ sentiment }) => make('span', 'key-name', sentiment) },
  { head: 'Category', cell: ({ category }) => category },
  { head: 'Model', cell: ({ model }) => make('code', '', model) },
  { head: 'Items', cell: ({ items }) => figure(items), numeric: true },
  { head: 'Right', cell: ({ hit_rate }) => rate(hit_rate), numeric: true },
  {
    head: '95% sure between',
    cell: ({ hit_rate_low: low, hit_rate_high: high }) => (low === null ? '–' : `${rate(low)} and ${rate(high)}`),
    numeric: true,
  },
  {
    head: 'Average move',
    cell: ({ average_move_percent: move }) => percent(move === null ? null : move / 100),
    numeric: true,
  },
];
