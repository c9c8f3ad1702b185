// The settings of the order flow, in a panel below their button.
import { DAY_MS } from '@tickwire/contract/durations.ts';
import { guideLink, make, makeButton } from '../../ui/dom/elements.ts';
import { togglePopover } from '../../ui/dom/popover.ts';
import type { ChartMarket } from '../frame/chart-part.ts';
import { fullTimeLabel } from '../layers/time-labels.ts';
import type { AnchorChoice } from './cumulative-delta.ts';
import type { FlowSettings, ProfileRange } from './flow-choices.ts';
import { IMBALANCE_RATIO } from './footprint-levels.ts';

export interface FlowSettingsOptions {
  readonly settings: FlowSettings;
  readonly market: ChartMarket | null;
  readonly intervalMs: number;
  /** Why there is no order flow; '' if there is. */
  readonly unavailable: string;
  /** Of the volume profile; '' without one. */
  readonly summary: string;
  readonly pickRange: () => void;
}

const EXPLAINED: readonly (readonly [string, string])[] = [
  ['Delta', 'Volume bought at the ask minus volume sold at the bid.'],
  [
    'Imbalance',
    `A marked side of a cell: buyers traded at least ${IMBALANCE_RATIO} times as much as sellers one level below, or sellers at least that many times as much as buyers one level above.`,
  ],
  [
    'Absorption',
    'A triangle at the cumulative delta: one side pressed hard for a minute, and the price did not move with it. Somebody took the other side of every trade.',
  ],
  ['POC', 'Point of control: the price with the most volume.'],
  ['Value area', 'The prices around the point of control with 70 % of the volume: VAL to VAH.'],
];

export function openFlowSettings(button: HTMLElement, options: FlowSettingsOptions): void {
  togglePopover(button, (close) => contentOf(options, close), { label: 'Order flow', className: 'flow-settings' });
}

function contentOf(options: FlowSettingsOptions, close: () => void): Node {
  const { settings, market, unavailable, summary, pickRange } = options;
  const { delta, footprint, profile, profileEdge, fixedRanges } = settings.choices;
  const hasRange = market !== null && fixedRanges[market.instrument.symbol] !== undefined;
  const content = make('div', 'flow-settings-content');
  if (unavailable !== '') content.append(make('p', 'flow-settings-note', unavailable));
  const pick = makeButton(hasRange ? 'Choose another range' : 'Choose the range', 'flow-settings-button', () => {
    close();
    settings.change({ profile: 'fixed' });
    pickRange();
  });
  content.append(
    section(
      'Delta',
      checkbox('Delta and cumulative delta', delta, (checked) => settings.change({ delta: checked })),
      select('Cumulative delta starts', anchorsOf(options), settings.choices.anchor, (anchor) =>
        settings.change({ anchor }),
      ),
    ),
    section(
      'Footprint',
      checkbox('Sold × bought at each price', footprint, (checked) => settings.change({ footprint: checked })),
    ),
    section(
      'Volume profile',
      select('Range', RANGES, profile, (chosen) => {
        settings.change({ profile: chosen });
        // The next click is in the chart.
        if (chosen === 'fixed' && !hasRange) close();
      }),
      select('Edge', EDGES, profileEdge, (chosen) => settings.change({ profileEdge: chosen })),
      pick,
      ...(summary === '' ? [] : [make('p', 'flow-settings-note', summary)]),
    ),
    make(
      'dl',
      'flow-explained small',
      ...EXPLAINED.flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)]),
    ),
    guideLink('order-flow', 'Guide: order flow'),
  );
  return content;
}

const RANGES: readonly Choice<ProfileRange>[] = [
  { value: 'off', text: 'Off' },
  { value: 'view', text: 'Visible range' },
  { value: 'day', text: 'Day (UTC)' },
  { value: 'fixed', text: 'Fixed range' },
];
const EDGES = [
  { value: 'right', text: 'Right' },
  { value: 'left', text: 'Left' },
] as const;

function anchorsOf({ settings, market, intervalMs }: FlowSettingsOptions): readonly Choice<AnchorChoice>[] {
  const chosen = market ? settings.choices.anchorBars[market.instrument.symbol] : undefined;
  const bar =
    chosen === undefined ? 'Chosen bar (right-click a bar)' : `Chosen bar, ${fullTimeLabel(chosen, intervalMs)}`;
  return [
    { value: 'auto', text: intervalMs >= DAY_MS ? 'Automatic: visible range' : 'Automatic: each day' },
    { value: 'day', text: 'Each day, 00:00 UTC', disabled: intervalMs >= DAY_MS },
    { value: 'week', text: 'Each week, Monday 00:00 UTC', disabled: intervalMs >= 7 * DAY_MS },
    { value: 'view', text: 'At the first visible bar' },
    { value: 'bar', text: bar, disabled: chosen === undefined },
  ];
}

interface Choice<T extends string> {
  readonly value: T;
  readonly text: string;
  readonly disabled?: boolean;
}

const section = (title: string, ...inside: readonly Node[]): HTMLElement =>
  make('fieldset', 'flow-settings-section', make('legend', {}, title), ...inside);

function checkbox(text: string, checked: boolean, onChange: (checked: boolean) => void): HTMLElement {
  const input = make('input', { type: 'checkbox' });
  input.checked = checked;
  input.addEventListener('change', () => onChange(input.checked));
  return make('label', 'flow-settings-check line', input, text);
}

function select<T extends string>(
  text: string,
  choices: readonly Choice<T>[],
  chosen: T,
  onChange: (chosen: T) => void,
): HTMLElement {
  const list = make('select', 'flow-settings-select');
  for (const { value, text: label, disabled = false } of choices) {
    const option = make('option', { value }, label);
    option.disabled = disabled;
    option.selected = value === chosen;
    list.append(option);
  }
  list.addEventListener('change', () => onChange(list.value as T));
  return make('label', 'flow-settings-field', text, list);
}
