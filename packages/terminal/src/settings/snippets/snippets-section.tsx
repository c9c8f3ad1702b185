// Snippets for the chosen call and language, with the address of this service. The calls come from its OpenAPI and AsyncAPI
// documents.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { TickwireError } from '@tickwire/client';
import { useState } from 'preact/hooks';
import { ChoiceBar } from '../../ui/button.tsx';
import { Snippet } from '../../ui/copied-text.tsx';
import { Field } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RemoteSection, useRemote } from '../../ui/remote.tsx';
import type { IssuedKeyText, SettingsProps } from '../section.ts';
import type { AsyncApi, OpenApi } from './operations.ts';
import type { Values } from './request.ts';
import type { Language, SnippetTarget } from './snippet-targets.ts';

export function Snippets({ client, issuedKey }: SettingsProps) {
  const api = useRemote(async (signal) => {
    const [{ readTargets }, rest, streams] = await Promise.all([
      import('./snippet-targets.ts'),
      readDocument<OpenApi>('/openapi.json', signal),
      readDocument<AsyncApi>('/asyncapi.json', signal),
    ]);
    return readTargets(client, rest, streams);
  });
  return (
    <Panel title="Call the service">
      <RemoteSection remote={api}>{(targets) => <Picker targets={targets} issuedKey={issuedKey} />}</RemoteSection>
    </Panel>
  );
}

/** The client has no call for the documents. */
async function readDocument<T>(path: string, signal: AbortSignal): Promise<T> {
  const failed = (cause: unknown) => new TickwireError({ status: 0, code: 'network', detail: path, cause });
  const response = await fetch(path, { signal }).catch((cause) => Promise.reject(failed(cause)));
  if (!response.ok) throw failed(response.status);
  return (await response.json()) as T;
}

interface PickerProps {
  readonly targets: readonly SnippetTarget[];
  readonly issuedKey: ReadonlySignal<IssuedKeyText | null>;
}

function Picker({ targets, issuedKey }: PickerProps) {
  const quote = targets.findIndex(({ reference }) => reference === '/docs/market#get-quote');
  const index = useSignal(Math.max(0, quote));
  const [language, setLanguage] = useState<Language>('shell');
  const typed = useSignal<Values>({});
  const { parameters, access, scope, reference, program, write } = targets[index.value]!;
  const issued = issuedKey.value;
  // A key created a moment ago is part of the snippet if it has the scope.
  const secret =
    issued !== null && scope !== null && issued.scopes.includes(scope)
      ? { from: 'text' as const, key: issued.key }
      : { from: 'environment' as const };
  const text = write(language, typed.value, location.origin, secret);
  return (
    <div class="part">
      <Field name="call" label="Call">
        {(control) => (
          <select
            {...control}
            value={index.value}
            onChange={({ currentTarget }) => {
              index.value = Number(currentTarget.value);
              typed.value = {};
            }}
          >
            {[...new Set(targets.map(({ group }) => group))].map((group) => (
              <optgroup key={group} label={group}>
                {targets.map((each, at) => each.group === group && <option value={at}>{each.title}</option>)}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      {parameters.length > 0 && (
        <div
          key={index.value}
          class="parameters"
          onInput={({ target: field }) => {
            const { name, value } = field as HTMLInputElement;
            typed.value = { ...typed.value, [name]: value.trim() };
          }}
        >
          {parameters.map((parameter) => (
            <ParameterField key={parameter.name} {...parameter} />
          ))}
        </div>
      )}
      <p class="hint">
        {`${access} `}
        <a href={reference}>Reference</a>
      </p>
      <Snippet label="Snippet" text={text}>
        <ChoiceBar<Language>
          label="Language"
          choices={[
            ['shell', program],
            ['typescript', 'TypeScript'],
            ['python', 'Python'],
          ]}
          value={language}
          onChange={setLanguage}
        />
      </Snippet>
    </div>
  );
}

function ParameterField({ name, description, schema, initial }: SnippetTarget['parameters'][number]) {
  const title = description.replaceAll('`', '');
  return (
    <Field name={name} label={name}>
      {(control) =>
        schema.enum ? (
          <select {...control} title={title}>
            {schema.enum.map((each) => (
              <option key={each} selected={each === initial}>
                {each}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...control}
            class="mono"
            title={title}
            placeholder={schema.type === 'boolean' ? 'true or false' : ''}
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            defaultValue={initial}
          />
        )
      }
    </Field>
  );
}
