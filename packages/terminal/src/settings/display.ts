// How this browser shows things: colours, the time zone of all times, how numbers are set. Nothing of it leaves the browser.
import { box, make, write } from '../elements.ts';
import { figure, price, setNumber } from '../format.ts';
import { Field } from '../forms/field.ts';
import { exactly } from '../moments.ts';
import { type Appearance, isTimeZone, type NumberFormat, preferences } from '../preferences.ts';
import { repeat } from '../repeat.ts';
import { panel, type Section, type SettingsContext } from './section.ts';

export const DISPLAY: Section = {
  id: 'display',
  title: 'Display',
  intro: 'Kept in this browser, for all its tabs. Other browsers of yours have their own.',
  show: (context) => [appearance(context), timeZone(context), numbers(context)],
};

interface Option<T extends string> {
  readonly value: T;
  readonly title: string;
  readonly note: string;
}

/** Radio buttons that do at once what they say, and follow what another tab does. */
function choice<T extends string>(
  name: string,
  label: string,
  options: readonly Option<T>[],
  chosen: () => T,
  choose: (value: T) => void,
  { signal }: SettingsContext,
): HTMLElement {
  const inputs = options.map(({ value, title, note }) => {
    const input = make('input', '');
    input.type = 'radio';
    input.name = name;
    input.value = value;
    input.addEventListener('change', () => choose(value));
    return { value, input, line: box('label', 'check', input, box('span', '', make('b', '', title), ` ${note}`)) };
  });
  const show = (): void => {
    for (const { value, input } of inputs) input.checked = value === chosen();
  };
  preferences.onChange(signal, show);
  show();
  const set = box('fieldset', 'scopes', make('legend', 'unseen', label), ...inputs.map(({ line }) => line));
  return set;
}

const APPEARANCE: readonly Option<Appearance>[] = [
  { value: 'system', title: 'System', note: 'as this computer or phone is set, also when it changes in the evening' },
  { value: 'dark', title: 'Dark', note: 'always' },
  { value: 'light', title: 'Light', note: 'always' },
];

function appearance(context: SettingsContext): HTMLElement {
  const chosen = () => preferences.choices.appearance;
  const choose = (value: Appearance) => void preferences.set({ appearance: value });
  return panel('Appearance', choice('appearance', 'Appearance', APPEARANCE, chosen, choose, context));
}

const ZONES = Intl.supportedValuesOf('timeZone');

/** The zone somebody means: by its name, or by a part that only one has, such as `berlin`; null where it is none or many. */
function zoneLike(typed: string): string | null {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  if (wanted === '') return null;
  const whole = ZONES.find((each) => each.toLowerCase() === wanted);
  const [like, another] = ZONES.filter((each) => each.toLowerCase().includes(wanted));
  if (whole !== undefined) return whole;
  // Older names, such as `Asia/Calcutta`, are known without being listed.
  if (like === undefined) return isTimeZone(typed.trim()) ? typed.trim() : null;
  return another === undefined ? like : null;
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function timeZone(context: SettingsContext): HTMLElement {
  type Kind = 'own' | 'utc' | 'other';
  const kindOf = (zone: string): Kind => (zone === '' ? 'own' : zone === 'UTC' ? 'utc' : 'other');
  // Who chose another one and has not named it yet still has the old one.
  let kind = kindOf(preferences.choices.timeZone);
  const zones = make('datalist', '');
  zones.id = 'time-zones';
  for (const name of ZONES) zones.append(new Option(name));
  const other = Field.input({
    name: 'time_zone',
    label: 'Time zone',
    hint: 'Type a part of it, such as “Berlin” or “America/”, and choose.',
  });
  other.control.setAttribute('list', zones.id);
  const clock = make('p', 'example');
  const show = (): void => {
    other.element.hidden = kind !== 'other';
    write(clock, `Now it is ${exactly(Date.now())}.`);
  };
  const choose = (value: Kind): void => {
    kind = value;
    if (value === 'own') preferences.set({ timeZone: '' });
    if (value === 'utc') preferences.set({ timeZone: 'UTC' });
    show();
    if (value === 'other') other.control.focus();
  };
  const name = (): void => {
    const zone = zoneLike(other.value);
    if (zone !== null) {
      other.control.value = zone;
      preferences.set({ timeZone: zone });
    }
    other.refuse(zone === null ? 'There is no such time zone, or more than one.' : '');
  };
  other.control.addEventListener('change', name);
  // Somebody who types gets no reproach before the end, but a name that is whole counts at once.
  other.control.addEventListener('input', () => {
    if (ZONES.includes(other.value)) name();
  });
  if (kind === 'other') other.control.value = preferences.choices.timeZone;
  const options: readonly Option<Kind>[] = [
    { value: 'own', title: 'This browser’s own', note: ownZone() },
    { value: 'utc', title: 'UTC', note: 'as the service and its interface count' },
    { value: 'other', title: 'Another', note: '' },
  ];
  let zone = preferences.choices.timeZone;
  preferences.onChange(context.signal, () => {
    if (zone !== preferences.choices.timeZone) {
      zone = preferences.choices.timeZone;
      kind = kindOf(zone);
      if (kind === 'other' && document.activeElement !== other.control) other.control.value = zone;
    }
    show();
  });
  // Made after that: it shows the kind as it is by then.
  const radios = choice('zone', 'Time zone', options, () => kind, choose, context);
  const ticking = repeat(async () => {
    show();
    return 1_000 - (Date.now() % 1_000);
  });
  context.signal.addEventListener('abort', () => ticking.stop());
  show();
  return panel('Time zone', radios, other.element, zones, clock);
}

const NUMBERS: readonly (readonly [NumberFormat, string])[] = [
  ['plain', 'no grouping'],
  ['comma', 'comma and point'],
  ['dot', 'point and comma'],
  ['space', 'space and comma'],
];

function numbers(context: SettingsContext): HTMLElement {
  const options = NUMBERS.map(([value, note]) => ({ value, title: setNumber('1234.5', value), note }));
  const example = make('p', 'example');
  const show = () =>
    write(
      example,
      `Bitcoin at ${price(67120.5, 2)}, the euro at ${price(1.08412, 5)}, ${figure(1_250_000)} requests a day.`,
    );
  preferences.onChange(context.signal, show);
  show();
  const choose = (value: NumberFormat) => void preferences.set({ numbers: value });
  return panel(
    'Numbers',
    choice('numbers', 'Number format', options, () => preferences.choices.numbers, choose, context),
    example,
  );
}
