// Snippets for the chosen call and language, with the address of this service. The calls come from its OpenAPI and AsyncAPI
// documents.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { type TickwireClient, TickwireError } from '@tickwire/client';
import { useRef } from 'preact/hooks';
import { ChoiceBar } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/form.tsx';
import { RemoteSection, useRemote } from '../../ui/remote.tsx';
import { type IssuedKeyText, Panel, type Section, type SettingsProps } from '../section.tsx';
import { exampleValues, type Known, known, withLiveBody } from './example-values.ts';
import {
  type AsyncApi,
  type Channel,
  channelsOf,
  type OpenApi,
  type Operation,
  operationsOf,
  type Parameter,
} from './operations.ts';
import type { Secret, Values } from './request.ts';
import { curl, KEY_VARIABLE, pythonCall, SESSION_VARIABLE, typescriptCall } from './rest-snippets.ts';
import { pythonStream, typescriptStream, websocat } from './stream-snippets.ts';

export const SNIPPETS: Section = {
  id: 'snippets',
  title: 'Snippets',
  intro: `Every API call, ready to paste and run. Set the environment variable ${KEY_VARIABLE} to your key first.`,
  View: Snippets,
};

function Snippets({ client, issuedKey }: SettingsProps) {
  const api = useRemote((signal) => readApi(client, signal));
  return (
    <Panel title="Call the service">
      <RemoteSection remote={api}>{(described) => <Picker api={described} issuedKey={issuedKey} />}</RemoteSection>
    </Panel>
  );
}

interface Api {
  readonly operations: readonly Operation[];
  readonly channels: readonly Channel[];
  readonly known: Known;
}

async function readApi(client: TickwireClient, signal: AbortSignal): Promise<Api> {
  // The client has no call for these documents.
  const read = async <T,>(path: string): Promise<T> => {
    const failed = (cause: unknown) => new TickwireError({ status: 0, code: 'network', detail: path, cause });
    const response = await fetch(path, { signal }).catch((cause) => Promise.reject(failed(cause)));
    if (!response.ok) throw failed(response.status);
    return (await response.json()) as T;
  };
  const [rest, streams, examples] = await Promise.all([
    read<OpenApi>('/openapi.json'),
    read<AsyncApi>('/asyncapi.json'),
    known(client),
  ]);
  const operations = operationsOf(rest).map((each) => withLiveBody(each, examples));
  return { operations, channels: channelsOf(streams), known: examples };
}

type Target = { readonly operation: Operation } | { readonly channel: Channel };
type Language = 'shell' | 'typescript' | 'python';

const CALLS = { shell: curl, typescript: typescriptCall, python: pythonCall };
const STREAMS = { shell: websocat, typescript: typescriptStream, python: pythonStream };

interface PickerProps {
  readonly api: Api;
  readonly issuedKey: ReadonlySignal<IssuedKeyText | null>;
}

function Picker({ api, issuedKey }: PickerProps) {
  const { operations, channels, known: examples } = api;
  const targets: readonly Target[] = [
    ...operations.map((operation) => ({ operation })),
    ...channels.map((channel) => ({ channel })),
  ];
  const index = useSignal(
    Math.max(
      0,
      operations.findIndex(({ name }) => name === 'quote'),
    ),
  );
  const language = useSignal<Language>('shell');
  const typed = useSignal<Values>({});
  const code = useRef<HTMLElement>(null);
  const target = targets[index.value]!;
  const parameters = 'operation' in target ? target.operation.parameters : [];
  const initial = 'operation' in target ? initialValues(target.operation, examples) : {};
  /** A key created a moment ago is part of the snippet if it has the scope. */
  const secretFor = (scope: string | null): Secret => {
    const { value: latest } = issuedKey;
    if (latest === null || scope === null || !latest.scopes.includes(scope)) return { from: 'environment' };
    return { from: 'text', key: latest.key };
  };
  const snippet = (): string => {
    const url = location.origin;
    if ('operation' in target) {
      const { operation } = target;
      const values = { ...initial, ...typed.value };
      return CALLS[language.value]({ operation, values, url, secret: secretFor(operation.scope) });
    }
    const { channel } = target;
    const lines = operations.find(({ name }) => name === 'ingestTicks')?.body?.documents ?? [];
    const call = { channel, symbols: examples.symbols, url, secret: secretFor(scopeOf(channel)), lines };
    return STREAMS[language.value](call);
  };
  const text = snippet();
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
            {[...new Set(targets.map(groupOf))].map((group) => (
              <optgroup key={group} label={group}>
                {targets.map((each, at) => groupOf(each) === group && <option value={at}>{titleOf(each)}</option>)}
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
            <ParameterField key={parameter.name} {...parameter} initial={initial[parameter.name] ?? ''} />
          ))}
        </div>
      )}
      <p class="hint">
        {`${accessOf(target)} `}
        <a href={referenceOf(target)}>Reference</a>
      </p>
      <div class="snippet-head">
        <ChoiceBar<Language>
          label="Language"
          choices={[
            ['shell', 'operation' in target ? 'curl' : 'websocat'],
            ['typescript', 'TypeScript'],
            ['python', 'Python'],
          ]}
          value={language.value}
          onChange={(value) => {
            language.value = value;
          }}
        />
        <CopyButton text={text} source={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would not keep the line breaks. */}
      <pre class="snippet" tabIndex={0} role="region" aria-label="Snippet">
        <code ref={code}>{text}</code>
      </pre>
    </div>
  );
}

/** A select always has a value: without an example its first choice. */
function initialValues(operation: Operation, examples: Known): Values {
  const values = exampleValues(operation, examples);
  return Object.fromEntries(
    operation.parameters.map(({ name, schema }) => [name, values[name] || (schema.enum?.[0] ?? '')]),
  );
}

function ParameterField({ name, description, schema, initial }: Parameter & { readonly initial: string }) {
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

const scopeOf = ({ name }: Channel): string => (name === 'ingest' ? 'ingest' : 'read');
const groupOf = (target: Target): string => ('operation' in target ? target.operation.group : 'Streams');

function titleOf(target: Target): string {
  if ('channel' in target) return `${target.channel.path} · ${target.channel.summary}`;
  const { method, path, summary } = target.operation;
  return `${method} ${path} · ${summary}`;
}

function accessOf(target: Target): string {
  const scope = 'channel' in target ? scopeOf(target.channel) : target.operation.scope;
  const access = 'channel' in target ? 'key' : target.operation.access;
  if (access === 'nothing') return 'No key required.';
  if (access === 'key') return `Requires a key with the scope ${scope}.`;
  return `Requires a signed-in session; keys are rejected. ${SESSION_VARIABLE} is the value of the session cookie.`;
}

const referenceOf = (target: Target): string =>
  'channel' in target ? '/docs#websocket' : `/docs#${target.operation.method.toLowerCase()}-${target.operation.name}`;
