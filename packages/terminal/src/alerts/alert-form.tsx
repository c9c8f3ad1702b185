// The form that creates an alert or changes one, on the alerts page and beside a chart.
import { useSignal } from '@preact/signals';
import type { Alert, Destination } from '@tickwire/client';
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usualDestinations } from '../services/account-alerts.ts';
import type { AlertStart } from '../services/placed-forms.ts';
import { Button } from '../ui/button.tsx';
import { Field, Form, FormValues, SelectField, TextField } from '../ui/form.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { changeOf, EXPIRIES, firstRows, REPEATS, type Row, requestOf } from './alert-request.ts';
import type { AlertServices } from './alert-services.ts';
import { INTERVAL } from './condition-field.ts';
import { ConditionFields } from './condition-fields.tsx';
import { type ConditionType, WITHOUT_SYMBOL } from './condition-kinds.ts';
import { conditionText } from './condition-text.ts';
import { DeliverChoice } from './deliver-choice.tsx';
import { readCondition } from './read-condition.ts';

interface Loaded {
  readonly alert: Alert | null;
  readonly destinations: readonly Destination[];
}

interface Props {
  readonly services: AlertServices;
  /** `null` for a new alert. */
  readonly id: string | null;
  /** What a new one starts with, by the names of the fields. */
  readonly start: URLSearchParams;
  /** The instrument of a new one; `null` if the form asks for it. */
  readonly symbol: string | null;
  /** It was saved, or the form was cancelled. */
  readonly onEnd: (saved: boolean) => void;
}

const MOST_CONDITIONS = 5;
const MOST_NOTE = 500;

/** Beside a chart: the instrument is that of the chart. */
export function showAlertForm(
  services: AlertServices,
  into: HTMLElement,
  { symbol, id, fields }: AlertStart,
  onEnd: (saved: boolean) => void,
): () => void {
  const start = new URLSearchParams({ ...fields });
  render(<AlertForm {...{ services, symbol, start, onEnd }} id={id ?? null} />, into);
  return () => render(null, into);
}

export function AlertForm(props: Props) {
  const { client } = props.services;
  const { id } = props;
  const remote = useRemote<Loaded>(async (signal) => {
    const [alert, { items }] = await Promise.all([
      id === null ? null : client.alert(id, { signal }),
      client.destinations({ signal }),
    ]);
    return { alert, destinations: items };
  });
  return (
    <RemoteSection remote={remote}>
      {(loaded) => <LoadedForm key={loaded.alert?.id ?? 'new'} {...props} {...loaded} />}
    </RemoteSection>
  );
}

function LoadedForm({ services, alert, destinations, start, symbol: given, onEnd }: Loaded & Props) {
  const { client, accountAlerts, instruments } = services;
  const rows = useSignal<readonly Row[]>(firstRows(alert, start));
  // An alert from the chart goes where others from there go.
  const deliver = alert?.deliver ?? (given === null ? [] : usualDestinations(accountAlerts.alerts));
  const [repeat, setRepeat] = useState(alert?.repeat ?? 'once');
  const problems = useSignal<ReadonlyMap<string, string>>(new Map());
  const preview = useSignal('');
  const panel = useRef<HTMLDivElement>(null);
  const types = rows.value.map(({ type }) => type);
  const formValues = (): FormValues => new FormValues(panel.current?.querySelector('form') ?? undefined);
  const symbolIn = (values: FormValues): string => alert?.symbol ?? given ?? values.text('symbol');
  const update = (): void => {
    const values = formValues();
    const { condition } = readCondition(values, types);
    const symbol = symbolIn(values);
    const digits = services.quotes.row(symbol)?.digits;
    preview.value =
      condition === null ? '' : `${symbol === '' ? 'Any instrument' : symbol}: ${conditionText(condition, digits)}`;
  };
  useLayoutEffect(update, []);
  const setType = (at: number, type: ConditionType): void => {
    rows.value = rows.value.map((row, index) => (index === at ? { ...row, type, texts: {} } : row));
  };
  const submit = async (values: FormValues): Promise<void> => {
    const { condition, problems: found } = readCondition(values, types);
    const lacksSymbol = symbolIn(values) === '' && types.some((type) => !WITHOUT_SYMBOL.has(type));
    problems.value = lacksSymbol ? new Map([...found, ['symbol', 'Choose an instrument for this condition.']]) : found;
    if (condition === null || lacksSymbol) {
      focusFirst(panel.current, problems.value);
      return;
    }
    const saved =
      alert === null
        ? await client.createAlert(requestOf(values, symbolIn(values), condition))
        : await client.changeAlert(alert.id, changeOf(values, condition, alert));
    const { created_destinations: _created, ...plain } = saved;
    accountAlerts.put(plain);
    onEnd(true);
  };
  return (
    <div ref={panel} onInput={update} class="alert-form">
      <Form submit={alert === null ? 'Create alert' : 'Save'} onSubmit={submit} onCancel={() => onEnd(false)}>
        {alert === null && given === null && (
          <SelectField
            name="symbol"
            label="Instrument"
            problem={problems.value.get('symbol') ?? ''}
            choices={[
              { value: '', text: 'Any (news, signals and events only)' },
              ...instruments.map(({ symbol, name }) => ({ value: symbol, text: `${symbol} · ${name}` })),
            ]}
            value={(start.get('symbol') ?? '').toUpperCase()}
          />
        )}
        {alert !== null && given === null && <p class="alert-symbol">{alert.symbol ?? 'Any instrument'}</p>}
        {rows.value.map(({ id, type, texts }, at) => (
          <ConditionFields
            key={id}
            at={at}
            type={type}
            texts={texts}
            problems={problems.value}
            onType={(chosen) => setType(at, chosen)}
            onRemove={
              rows.value.length === 1
                ? null
                : () => {
                    rows.value = rows.value.filter((row) => row.id !== id);
                  }
            }
          />
        ))}
        {rows.value.length < MOST_CONDITIONS && (
          <Button
            tone="linklike"
            onClick={() => {
              rows.value = [
                ...rows.value,
                { id: Math.max(...rows.value.map((row) => row.id)) + 1, type: 'spread', texts: {} },
              ];
            }}
          >
            Add a condition
          </Button>
        )}
        <SelectField name="repeat" label="Fires" choices={REPEATS} value={repeat} onChange={setRepeat} />
        {repeat === 'once_per_bar' && (
          <SelectField name="interval" label="Bar" choices={INTERVAL.choices ?? []} value={alert?.interval ?? '5m'} />
        )}
        {repeat !== 'once' && (
          <Field name="cooldown_seconds" label="Cool-down in seconds" hint="It does not fire again within this time.">
            {(control) => (
              <input
                {...control}
                class="mono"
                type="number"
                min={0}
                max={604_800}
                required
                defaultValue={String(alert?.cooldown_seconds ?? 60)}
              />
            )}
          </Field>
        )}
        <SelectField
          name="expires_at"
          label="Expires"
          choices={alert?.expires_at ? [{ value: 'keep', text: 'unchanged' }, ...EXPIRIES] : EXPIRIES}
        />
        <TextField
          name="note"
          label="Note (optional)"
          hint="Delivered with the message."
          maxLength={MOST_NOTE}
          value={alert?.note ?? ''}
          prose
          optional
        />
        <DeliverChoice destinations={destinations} chosen={new Set(deliver.map(({ destination }) => destination))} />
        <p class="example alert-preview" hidden={preview.value === ''}>
          {preview.value}
        </p>
      </Form>
    </div>
  );
}

function focusFirst(panel: HTMLElement | null, problems: ReadonlyMap<string, string>): void {
  const [first = ''] = problems.keys();
  const control = panel?.querySelector('form')?.elements.namedItem(first);
  if (control instanceof HTMLElement) control.focus();
}
