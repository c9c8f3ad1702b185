// Display preferences of this browser: colours, time zone and number format. They are not sent to the service.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../ui/form.tsx';
import { figure, price, setNumber } from '../ui/format.ts';
import { useNow } from '../ui/hooks.ts';
import { Panel } from '../ui/panel.tsx';
import { type Appearance, isTimeZone, type NumberFormat, preferences } from '../ui/preferences.ts';
import { exactly } from '../ui/relative-time.ts';

interface RadiosProps<T extends string> {
  readonly name: string;
  /** Read out as the name of the group. */
  readonly label: string;
  readonly options: readonly (readonly [value: T, title: string, note: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Radio buttons that take effect immediately. */
function Radios<T extends string>({ name, label, options, value, onChange }: RadiosProps<T>) {
  return (
    <fieldset class="scopes">
      <legend class="unseen">{label}</legend>
      {options.map(([each, title, note]) => (
        <label key={each} class="check">
          <input type="radio" name={name} value={each} checked={each === value} onChange={() => onChange(each)} />
          <span>
            <b>{title}</b> {note}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const APPEARANCE: readonly (readonly [Appearance, string, string])[] = [
  ['system', 'System', 'follows your device'],
  ['dark', 'Dark', 'always'],
  ['light', 'Light', 'always'],
];

const NUMBERS: readonly (readonly [NumberFormat, string, string])[] = (
  [
    ['plain', 'no grouping'],
    ['comma', 'comma and point'],
    ['dot', 'point and comma'],
    ['space', 'space and comma'],
  ] as const
).map(([format, note]) => [format, setNumber('1234.5', format), note]);

export function Display() {
  const { appearance, numbers } = preferences.choices;
  return (
    <>
      <Panel title="Appearance">
        <Radios
          name="appearance"
          label="Appearance"
          options={APPEARANCE}
          value={appearance}
          onChange={(value) => preferences.set({ appearance: value })}
        />
      </Panel>
      <Panel title="Time zone">
        <TimeZone />
      </Panel>
      <Panel title="Numbers">
        <Radios
          name="numbers"
          label="Number format"
          options={NUMBERS}
          value={numbers}
          onChange={(value) => preferences.set({ numbers: value })}
        />
        <p class="example">
          {`Bitcoin at ${price(67120.5, 2)}, the euro at ${price(1.08412, 5)}, a volume of ${figure(1_250_000)}.`}
        </p>
      </Panel>
    </>
  );
}

type ZoneKind = 'own' | 'utc' | 'other';
const kindOf = (zone: string): ZoneKind => (zone === '' ? 'own' : zone === 'UTC' ? 'utc' : 'other');

function TimeZone() {
  const { timeZone } = preferences.choices;
  // After "Another" is chosen, the old zone applies until a new one is entered.
  const kind = useSignal(kindOf(timeZone));
  const chosen = useRef(false);
  useEffect(() => {
    kind.value = kindOf(timeZone);
  }, [timeZone]);
  const options = [
    ['own', 'Browser', new Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['utc', 'UTC', 'as in the API'],
    ['other', 'Another', ''],
  ] as const;
  return (
    <>
      <Radios
        name="zone"
        label="Time zone"
        options={options}
        value={kind.value}
        onChange={(value) => {
          chosen.current = true;
          kind.value = value;
          if (value !== 'other') preferences.set({ timeZone: value === 'own' ? '' : 'UTC' });
        }}
      />
      {kind.value === 'other' && <ZoneField focus={chosen.current} />}
      <Clock />
    </>
  );
}

function Clock() {
  return <p class="example">{`Current time: ${exactly(useNow(1_000))}`}</p>;
}

const ZONES = Intl.supportedValuesOf('timeZone');

/** A zone by its name or by a part that only one zone contains, such as `berlin`; `null` if none or several match. */
function findZone(typed: string): string | null {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  if (wanted === '') return null;
  const matches = ZONES.filter((each) => each.toLowerCase().includes(wanted));
  const exact = matches.find((each) => each.toLowerCase() === wanted);
  // Browsers know older names, such as `Asia/Calcutta`, without listing them.
  if (matches.length === 0) return isTimeZone(typed.trim()) ? typed.trim() : null;
  return exact ?? (matches.length === 1 ? matches[0]! : null);
}

function ZoneField({ focus }: { readonly focus: boolean }) {
  const { timeZone } = preferences.choices;
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal('');
  useEffect(() => {
    if (focus) input.current?.focus();
  }, []);
  useEffect(() => {
    // Another tab may have changed it.
    if (input.current && input.current !== document.activeElement && kindOf(timeZone) === 'other')
      input.current.value = timeZone;
  }, [timeZone]);
  const apply = (typed: HTMLInputElement): void => {
    const zone = findZone(typed.value);
    problem.value = zone === null ? 'No time zone matches, or several do.' : '';
    if (zone === null) return;
    typed.value = zone;
    preferences.set({ timeZone: zone });
  };
  return (
    <>
      <Field
        name="time_zone"
        label="Time zone"
        hint="Type part of the name, such as “Berlin” or “America/”, and choose."
        problem={problem.value}
      >
        {(control) => (
          <input
            {...control}
            ref={input}
            list="time-zones"
            required
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            onChange={({ currentTarget }) => apply(currentTarget)}
            // A complete name applies while it is typed. Errors appear only when typing ends.
            onInput={({ currentTarget }) => {
              problem.value = '';
              if (ZONES.includes(currentTarget.value)) apply(currentTarget);
            }}
          />
        )}
      </Field>
      <datalist id="time-zones">
        {ZONES.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </>
  );
}
