// How messages of the account write times and numbers. Kept by the service, independent of this browser’s display settings.
import type { CoreClient, Preferences } from '@tickwire/client';
import { useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field, Form, type FormHandle, type FormValues, SelectField } from '../ui/form.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';

type NumberFormat = Preferences['number_format'];

/** By the name of the language, in English. */
const NUMBER_FORMATS: Readonly<Record<NumberFormat, string>> = {
  en: 'English',
  'en-GB': 'English (United Kingdom)',
  'en-IN': 'English (India)',
  de: 'German',
  'de-CH': 'German (Switzerland)',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  ja: 'Japanese',
  nl: 'Dutch',
  pl: 'Polish',
  'pt-BR': 'Portuguese (Brazil)',
  sv: 'Swedish',
};
const EXAMPLE = 1_234_567.5;

const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function MessagePreferences({ client }: { readonly client: CoreClient }) {
  const remote = useRemote((signal) => client.preferences({ signal }));
  const zone = useRef<HTMLInputElement>(null);
  const takeBrowserZone = (): void => {
    if (zone.current) zone.current.value = browserZone();
  };
  const save = async (values: FormValues, form: FormHandle): Promise<void> => {
    await client.setPreferences({
      time_zone: values.text('time_zone').trim(),
      number_format: values.text('number_format') as NumberFormat,
    });
    form.show('Saved. New messages use this format.', 'good');
  };
  return (
    <RemoteSection remote={remote}>
      {({ time_zone, number_format }) => (
        <Form submit="Save" onSubmit={save}>
          <Field name="time_zone" label="Time zone" hint="The name of a zone, such as Europe/Berlin, or UTC.">
            {(control) => (
              <input
                {...control}
                ref={zone}
                list="message-time-zones"
                defaultValue={time_zone}
                required
                maxLength={64}
                spellcheck={false}
                autocapitalize="none"
                autocomplete="off"
              />
            )}
          </Field>
          <p>
            <Button tone="linklike" onClick={takeBrowserZone}>
              {`Use ${browserZone()}, the zone of this browser`}
            </Button>
          </p>
          <datalist id="message-time-zones">
            {Intl.supportedValuesOf('timeZone').map((each) => (
              <option key={each}>{each}</option>
            ))}
          </datalist>
          <SelectField
            name="number_format"
            label="Numbers"
            choices={Object.entries(NUMBER_FORMATS).map(([value, name]) => ({
              value,
              text: `${name}: ${EXAMPLE.toLocaleString(value, { minimumFractionDigits: 2 })}`,
            }))}
            value={number_format}
          />
        </Form>
      )}
    </RemoteSection>
  );
}
