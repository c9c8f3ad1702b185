// Snippets for the call and language that were chosen, with the address of this very service. What there is to call comes
// from the service's own description of its interface.
import { TickwireError } from '@tickwire/client';
import { copyButton } from '../../copying.ts';
import { box, button, link, make, write } from '../../elements.ts';
import { Field } from '../../forms/field.ts';
import { Part } from '../part.ts';
import { panel, type Section, type SettingsContext } from '../section.ts';
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
import type { Secret } from './request.ts';
import { curl, KEY_VARIABLE, pythonCall, SESSION_VARIABLE, typescriptCall } from './rest-snippets.ts';
import { pythonStream, typescriptStream, websocat } from './stream-snippets.ts';

export const SNIPPETS: Section = {
  id: 'snippets',
  title: 'Snippets',
  intro: `Every call of the interface, ready to be pasted and run. Put your key into the environment variable ${KEY_VARIABLE} first.`,
  show: (context) => {
    const part = new Part(async () => [new Snippets(context, await interfaceOf(context)).element], context.onSignedOut);
    return [panel('Call the service', part.element)];
  },
};

interface Interface {
  readonly operations: readonly Operation[];
  readonly channels: readonly Channel[];
  readonly known: Known;
}

type Target = { readonly operation: Operation } | { readonly channel: Channel };

async function interfaceOf({ client, signal }: SettingsContext): Promise<Interface> {
  const document = async <T>(path: string): Promise<T> => {
    // Not among the calls of the client: it describes them.
    const failed = (cause: unknown) => new TickwireError({ status: 0, code: 'network', detail: path, cause });
    const answer = await fetch(path, { signal }).catch((cause) => Promise.reject(failed(cause)));
    if (!answer.ok) throw failed(answer.status);
    return (await answer.json()) as T;
  };
  const [rest, streams, examples] = await Promise.all([
    document<OpenApi>('/openapi.json'),
    document<AsyncApi>('/asyncapi.json'),
    known(client),
  ]);
  const operations = operationsOf(rest).map((each) => withLiveBody(each, examples));
  return { operations, channels: channelsOf(streams), known: examples };
}

const LANGUAGES = ['Shell', 'TypeScript', 'Python'] as const;
type Language = (typeof LANGUAGES)[number];

class Snippets {
  readonly element: HTMLElement;
  readonly #context: SettingsContext;
  readonly #interface: Interface;
  readonly #targets: readonly Target[];
  readonly #call: Field;
  readonly #parameters = make('div', 'parameters');
  readonly #needs = make('p', 'hint');
  readonly #code = make('code', '');
  readonly #languages: readonly { readonly each: Language; readonly choice: HTMLButtonElement }[];
  #language: Language = 'Shell';
  #fields: readonly Field[] = [];

  constructor(context: SettingsContext, described: Interface) {
    this.#context = context;
    this.#interface = described;
    this.#targets = [
      ...described.operations.map((operation) => ({ operation })),
      ...described.channels.map((channel) => ({ channel })),
    ];
    this.#call = Field.select({ name: 'call', label: 'Call' }, []);
    this.#call.control.append(...this.#groups());
    this.#call.control.addEventListener('change', () => this.#choose());
    this.#languages = LANGUAGES.map((each) => ({
      each,
      choice: button(each, 'timeframe', () => {
        this.#language = each;
        this.#show();
      }),
    }));
    const languages = box('fieldset', 'timeframes', ...this.#languages.map(({ choice }) => choice));
    languages.setAttribute('aria-label', 'Language');
    const block = box('pre', 'snippet', this.#code);
    // It scrolls sideways, and must do so with the keyboard, too.
    block.tabIndex = 0;
    block.setAttribute('aria-label', 'Snippet');
    block.setAttribute('role', 'region');
    const copy = copyButton(this.#code, () => this.#code.textContent);
    const head = box('div', 'snippet-head', languages, copy);
    this.element = box('div', 'part', this.#call.element, this.#parameters, this.#needs, head, block);
    const first = described.operations.findIndex(({ name }) => name === 'quote');
    this.#call.control.value = String(Math.max(0, first));
    this.#choose();
  }

  #groups(): readonly HTMLElement[] {
    const options = this.#targets.map((target, at) => ({ group: groupOf(target), made: option(target, at) }));
    return [...new Set(options.map(({ group }) => group))].map((label) => {
      const group = make('optgroup', '');
      group.label = label;
      group.append(...options.filter((each) => each.group === label).map(({ made }) => made));
      return group;
    });
  }

  get #target(): Target {
    return this.#targets[Number(this.#call.value)]!;
  }

  #choose(): void {
    const target = this.#target;
    this.#fields = 'operation' in target ? this.#fieldsOf(target.operation) : [];
    this.#parameters.replaceChildren(...this.#fields.map(({ element }) => element));
    this.#parameters.hidden = this.#fields.length === 0;
    this.#needs.replaceChildren(...needsOf(target));
    this.#show();
  }

  #fieldsOf(operation: Operation): readonly Field[] {
    const values = exampleValues(operation, this.#interface.known);
    return operation.parameters.map((parameter) => {
      const field = fieldOf(parameter, values[parameter.name] ?? '');
      field.control.addEventListener('input', () => this.#show());
      return field;
    });
  }

  #show(): void {
    for (const { each, choice } of this.#languages) {
      choice.setAttribute('aria-pressed', String(each === this.#language));
      if (each === 'Shell') write(choice, 'operation' in this.#target ? 'curl' : 'websocat');
    }
    write(this.#code, this.#text());
  }

  #text(): string {
    const { known: examples, operations } = this.#interface;
    const target = this.#target;
    const url = location.origin;
    if ('operation' in target) {
      const { operation } = target;
      const values = Object.fromEntries(this.#fields.map(({ name, value }) => [name, value.trim()]));
      const call = { operation, values, url, secret: this.#secret(operation.scope) };
      return { Shell: curl, TypeScript: typescriptCall, Python: pythonCall }[this.#language](call);
    }
    const lines = operations.find(({ name }) => name === 'ingestTicks')?.body?.documents ?? [];
    const { channel } = target;
    const secret = this.#secret(scopeOf(channel));
    const call = { channel, symbols: examples.symbols, url, secret, lines };
    return { Shell: websocat, TypeScript: typescriptStream, Python: pythonStream }[this.#language](call);
  }

  /** A key that was made a moment ago stands in the snippet, if it is good for it. It is kept nowhere else. */
  #secret(scope: string | null): Secret {
    const { latest } = this.#context.issued;
    if (latest === null || scope === null || !latest.scopes.includes(scope)) return { from: 'environment' };
    return { from: 'text', key: latest.key };
  }
}

const scopeOf = ({ name }: Channel): string => (name === 'ingest' ? 'ingest' : 'read');
const groupOf = (target: Target): string => ('operation' in target ? target.operation.group : 'Streams');

function option(target: Target, at: number): HTMLOptionElement {
  const { summary } = 'operation' in target ? target.operation : target.channel;
  const address = 'operation' in target ? `${target.operation.method} ${target.operation.path}` : target.channel.path;
  return new Option(`${address} · ${summary}`, String(at));
}

function fieldOf({ name, description, schema }: Parameter, value: string): Field {
  const plain = description.replaceAll('`', '');
  if (schema.enum) {
    const field = Field.select(
      { name, label: name },
      schema.enum.map((each) => ({ value: each, text: each })),
      value,
    );
    field.control.title = plain;
    return field;
  }
  const field = Field.input({ name, label: name, value, mono: true });
  field.control.required = false;
  field.control.title = plain;
  if (field.control instanceof HTMLInputElement && schema.type === 'boolean')
    field.control.placeholder = 'true or false';
  return field;
}

/** What one has to have, and where it is described. */
function needsOf(target: Target): readonly (Node | string)[] {
  const reference = link('Reference', 'operation' in target ? referenceOf(target.operation) : '/docs#websocket');
  if ('channel' in target) return [`Needs a key with the scope ${scopeOf(target.channel)}. `, reference];
  const { access, scope } = target.operation;
  if (access === 'nothing') return ['Needs no key. ', reference];
  if (access === 'key') return [`Needs a key with the scope ${scope}. `, reference];
  return [
    `For people: no key may do this, only a session. ${SESSION_VARIABLE} is the value of its cookie. `,
    reference,
  ];
}

const referenceOf = ({ method, name }: Operation): string => `/docs#${method.toLowerCase()}-${name}`;
