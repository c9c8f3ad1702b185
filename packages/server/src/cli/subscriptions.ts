// `tickwire subscriptions`: the publishers, instruments and news categories that an account follows, over REST.
import { NEWS_CATEGORIES, SIGNAL_HAPPENINGS, type Subscription } from '@tickwire/contract';
import { SymbolIndex } from '@tickwire/engine';
import { UsageError } from './arguments.ts';
import {
  DELIVER_FLAGS,
  deliverOf,
  destinationLines,
  listed,
  plain,
  printOne,
  printRows,
  type RemoteActions,
  type RemoteArguments,
  runRemote,
} from './remote-command.ts';
import { SERVICE_HELP } from './service-address.ts';

const HELP = `tickwire subscriptions list [--json]
tickwire subscriptions follow PUBLISHER|SYMBOL|CATEGORY [--mirror] [--to DESTINATION] [--webhook URL] [--json]
tickwire subscriptions delete ID [--json]

  tickwire subscriptions follow goldsmith --mirror --to dst_2a1b5d7e8f603f9c
  tickwire subscriptions follow XAUUSD --events published,closed --webhook https://example.org/hook
  tickwire subscriptions follow crypto --to dst_2a1b5d7e8f603f9c

follow delivers the signals of a publisher, the signals and headlines of an instrument, or the headlines of a category. What the
name means is found in this order: a category (${NEWS_CATEGORIES.join(', ')}), an instrument, a publisher.

Options of follow:
  --as publisher|symbol|category          what the name means, if it has several meanings
  --events ${SIGNAL_HAPPENINGS.join(',')}       what to be told of signals (default: all)
  --mirror                                for communities: posts every publication, fill and closing of a publisher
  --webhook URL, --discord URL, --slack URL, --email ADDRESS
                                          where to deliver; the secret of a new webhook is shown only once
  --to ID                                 deliver to a destination that exists; several are separated by commas

${SERVICE_HELP}

Exit status: 0 done, 1 refused or not reachable, 2 invalid arguments.
`;

const KINDS = ['publisher', 'symbol', 'category'] as const;
type Kind = (typeof KINDS)[number];

export const subscriptions = (args: string[]): Promise<number> =>
  runRemote(args, {
    help: HELP,
    flags: { values: ['as', 'events', ...DELIVER_FLAGS], switches: ['mirror'] },
    actions: ACTIONS,
  });

const ACTIONS: RemoteActions = {
  async list({ service, on, none }) {
    none('subscriptions list [--json]');
    const { items } = await service.call('subscriptions');
    printRows(on, items, ['ID', 'FOLLOWS', 'EVENTS', 'MIRROR', 'DELAY', 'CREATED', 'DELIVER'], (each: Subscription) => [
      each.id,
      followed(each),
      each.events.join(', '),
      each.mirror ? 'mirror' : '-',
      each.delay_seconds === 0 ? '-' : `${each.delay_seconds} s`,
      each.created_at,
      each.deliver.map(({ channel, address }) => `${channel} ${address}`).join(', '),
    ]);
  },

  async follow({ service, on, flags, only }) {
    const name = only('subscriptions follow PUBLISHER|SYMBOL|CATEGORY [--mirror] [--to DESTINATION] [--webhook URL]');
    const deliver = deliverOf(flags);
    if (deliver.length === 0) throw new UsageError('where to deliver is missing: --to, --webhook or another channel');
    const events = listed(flags.events);
    const body = {
      [await kindOf(service, name, flags.as)]: name,
      ...(events.length > 0 && { events }),
      ...(on.has('mirror') && { mirror: true }),
      deliver,
    };
    const { created_destinations, ...created } = await service.call('createSubscription', { body });
    printOne(on, { ...created, created_destinations }, [
      `Subscription ${created.id} follows ${plain(followed(created))}${created.mirror ? ' as a mirror' : ''}.`,
      ...created_destinations.flatMap(destinationLines),
    ]);
  },

  async delete({ service, on, only }) {
    const deleted = await service.call('deleteSubscription', { id: only('subscriptions delete ID') });
    printOne(on, deleted, [`Subscription ${deleted.id} (${plain(followed(deleted))}) is deleted.`]);
  },
};

async function kindOf(service: RemoteArguments['service'], name: string, given: string | undefined): Promise<Kind> {
  if (given !== undefined) {
    const kind = KINDS.find((each) => each === given);
    if (!kind) throw new UsageError(`--as is ${JSON.stringify(given)}, but must be one of ${KINDS.join(', ')}`);
    return kind;
  }
  if ((NEWS_CATEGORIES as readonly string[]).includes(name)) return 'category';
  const { items } = await service.call('symbols');
  const symbols = new SymbolIndex(items.map(({ symbol }) => symbol));
  return symbols.resolve(name) ? 'symbol' : 'publisher';
}

function followed({ publisher, symbol, category }: Subscription): string {
  if (publisher) return `publisher ${publisher.name}`;
  return symbol === null ? `category ${category}` : `symbol ${symbol}`;
}
