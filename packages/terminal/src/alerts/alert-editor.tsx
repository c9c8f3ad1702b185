// The form that creates an alert or changes one. With the address `/alerts/new?symbol=EURUSD&level=1.085` it starts with these.
import { useSignal } from '@preact/signals';
import type { Alert, Destination } from '@tickwire/client';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { currentAddress } from '../ui/current-address.ts';
import { Field, Form, FormValues, SelectField, TextField } from '../ui/form.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { changeOf, EXPIRIES, firstRows, REPEATS, type Row, requestOf } from './alert-request.ts';
import type { AlertServices } from './alert-services.ts';
import { INTERVAL } from './condition-field.ts';
import { ConditionFields } from './condition-fields.tsx';
import { type ConditionType, WITHOUT_SYMBOL } from './condition-kinds.ts';
import { conditionText } from './condition-text.ts';
import { DeliverChoice } from './deliver-choice.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { FiringLog } from './firing-log.tsx';
import { readCondition } from './read-condition.ts';

interface Loaded {
  readonly alert: Alert | null;
  readonly destinations: readonly Destination[];
}

const MOST_CONDITIONS = 5;
const MOST_NOTE = 500;

export function AlertEditor({ services, id }: { readonly services: AlertServices; readonly id: string | null }) {
  const { client } = services;
  const remote = useRemote<Loaded>(async (signal) => {
    const [alert, { items }] = await Promise.all([
      id === null ? null : client.alert(id, { signal }),
      client.destinations({ signal }),
    ]);
    return { alert, destinations: items };
  });
  return (
    <>
      <section class="settings-panel" aria-label="Alert">
        <RemoteSection remote={remote}>
          {(loaded) => <EditorForm key={loaded.alert?.id ?? 'new'} services={services} {...loaded} />}
        </RemoteSection>
      </section>
      {id !== null && (
        <>
          <FiringLog services={services} alert={id} />
          <DeliveryLog services={services} alert={id} />
        </>
      )}
    </>
  );
}

function EditorForm({ services, alert, destinations }: Loaded & { readonly services: AlertServices }) {
  const { client, accountAlerts, instruments, navigator } = services;
  const query = new URLSearchParams(currentAddress.peek().search);
  const rows = useSignal<readonly Row[]>(firstRows(alert, query));
  const [repeat, setRepeat] = useState(alert?.repeat ?? 'once');
  const problems = useSignal<ReadonlyMap<string, string>>(new Map());
  const preview = useSignal('');
  const panel = useRef<HTMLDivElement>(null);
  const types = rows.value.map(({ type }) => type);
  const formValues = (): FormValues => new FormValues(panel.current?.querySelector('form') ?? undefined);
  const symbolIn = (values: FormValues): string => alert?.symbol ?? values.text('symbol');
  const update = (): void => {
    const values = formValues();
    const { condition } = readCondition(values, types);
    const symbol = symbolIn(values);
    const digits = services.quotes.row(symbol)?.digits;
    preview.value =
      condition === null ? '' : `${symbol === '' ? 'Any instrument' : symbol}: ${conditionText(condition, digits)}`;
  };
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
        ? await client.createAlert(requestOf(values, condition))
        : await client.changeAlert(alert.id, changeOf(values, condition, alert));
    const { created_destinations: _created, ...plain } = saved;
    accountAlerts.put(plain);
    navigator.go('/alerts');
  };
  return (
    <div ref={panel} onInput={update} class="alert-form">
      <Form
        submit={alert === null ? 'Create alert' : 'Save'}
        onSubmit={submit}
        onCancel={() => navigator.go('/alerts')}
      >
        {alert === null ? (
          <SelectField
            name="symbol"
            label="Instrument"
            problem={problems.value.get('symbol') ?? ''}
            choices={[
              { value: '', text: 'Any (news, signals and events only)' },
              ...instruments.map(({ symbol, name }) => ({ value: symbol, text: `${symbol} · ${name}` })),
            ]}
            value={(query.get('symbol') ?? '').toUpperCase()}
          />
        ) : (
          <p class="alert-symbol">{alert.symbol ?? 'Any instrument'}</p>
        )}
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
            And another condition
          </Button>
        )}
        <SelectField name="repeat" label="Fires" choices={REPEATS} value={repeat} onChange={setRepeat} />
        {repeat === 'once_per_bar' && (
          <SelectField name="interval" label="Bar" choices={INTERVAL.choices ?? []} value={alert?.interval ?? '5m'} />
        )}
        {repeat !== 'once' && (
          <Field name="cooldown_seconds" label="Cool-down in seconds" hint="No second firing within this time.">
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
          choices={alert?.expires_at ? [{ value: 'keep', text: 'as before' }, ...EXPIRIES] : EXPIRIES}
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
        <DeliverChoice destinations={destinations} alert={alert} />
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
