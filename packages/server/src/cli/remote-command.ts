// What `tickwire alerts`, `subscriptions`, `destinations` and `deliveries` share: an action, its arguments, and the service that it calls.
import type { CreatedDestination } from '@tickwire/contract';
import { table } from '../ops/table.ts';
import { type Arguments, type Flags, readArguments, UsageError } from './arguments.ts';
import { RemoteCalls } from './remote-calls.ts';
import { serviceAddress } from './service-address.ts';

export interface RemoteArguments extends Arguments {
  readonly service: RemoteCalls;
  /** The argument of an action with exactly one. */
  readonly only: (usage: string) => string;
  readonly none: (usage: string) => void;
}

export type RemoteActions = Readonly<Record<string, (args: RemoteArguments) => Promise<void>>>;

export interface RemoteCommand {
  readonly help: string;
  readonly flags: Flags;
  readonly actions: RemoteActions;
}

/** Runs an action. A failure is thrown, so that the exit status is not 0. */
export async function runRemote(args: string[], { help, flags, actions }: RemoteCommand): Promise<number> {
  const given = readArguments(args, { ...flags, switches: [...(flags.switches ?? []), 'json'] });
  const [name, ...words] = given.words;
  const act = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (given.on.has('help') || !act) {
    (given.on.has('help') ? process.stdout : process.stderr).write(help);
    return given.on.has('help') ? 0 : 2;
  }
  const service = new RemoteCalls(serviceAddress(given.config, 'the command needs a key with the scope read'));
  const fail = (usage: string): never => {
    throw new UsageError(`usage: tickwire ${usage}`);
  };
  await act({
    ...given,
    words,
    service,
    only: (usage) => (words.length === 1 ? words[0]! : fail(usage)),
    none: (usage) => words.length > 0 && fail(usage),
  });
  return 0;
}

/** Prints one JSON document per line, or a table. */
export function printRows<Row>(
  on: Arguments['on'],
  rows: readonly Row[],
  head: readonly string[],
  cells: (row: Row) => readonly string[],
): void {
  if (on.has('json')) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else
    process.stdout.write(
      table(
        head,
        rows.map((row) => cells(row).map(plain)),
      ),
    );
}

/** Prints a document as JSON, or lines of text. */
export function printOne(on: Arguments['on'], document: unknown, lines: readonly string[]): void {
  process.stdout.write(on.has('json') ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''));
}

/** Text of others without control characters, which could confuse a terminal. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');

/** The items of a value that is separated by commas. */
export const listed = (value: string | undefined): string[] =>
  value
    ?.split(',')
    .map((each) => each.trim())
    .filter(Boolean) ?? [];

const ADDRESSES = { webhook: 'url', discord: 'url', slack: 'url', email: 'address' } as const;
/** Flags that say where to deliver. */
export const DELIVER_FLAGS = [...Object.keys(ADDRESSES), 'to'];

/** Where to deliver, by its flags. */
export const deliverOf = (flags: Arguments['flags']): object[] => [
  ...Object.entries(ADDRESSES).flatMap(([channel, field]) =>
    listed(flags[channel]).map((at) => ({ channel, [field]: at })),
  ),
  ...listed(flags.to).map((destination) => ({ destination })),
];

/** What the owner must know and do about a new destination. Its secret is shown only now. */
export function destinationLines({ id, channel, address, state, secret, link }: CreatedDestination): string[] {
  const lines = [`Destination ${id} (${channel}, ${plain(address)}) is ${state}.`];
  if (secret !== null) lines.push(`  Signing secret, shown only once: ${secret}`);
  if (link !== null) {
    lines.push(`  Send this code to the bot within 15 minutes: ${link.code}`);
    if (link.url !== null) lines.push(`  Or open ${link.url}`);
  } else if (state === 'unverified')
    lines.push(`  Enter the code that it received: tickwire destinations verify ${id} CODE`);
  return lines;
}
