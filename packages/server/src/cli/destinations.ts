// `tickwire destinations`: where messages of an account are delivered, over REST.
import { type Destination, OUTSIDE_CHANNELS } from '@tickwire/contract';
import { UsageError } from './arguments.ts';
import { destinationLines, plain, printOne, printRows, type RemoteActions, runRemote } from './remote-command.ts';
import { SERVICE_HELP } from './service-address.ts';

const HELP = `tickwire destinations list [--json]
tickwire destinations add webhook|discord|slack URL [--name NAME] [--json]
tickwire destinations add email ADDRESS [--name NAME] [--json]
tickwire destinations add telegram [--name NAME] [--json]
tickwire destinations verify ID CODE [--json]
tickwire destinations test ID [--json]
tickwire destinations delete ID [--json]

A webhook can be used at once; its signing secret is shown only by add. Discord, Slack and e-mail destinations receive a code,
which verify takes. A Telegram chat is linked by sending the code of add to the bot. Browsers for push messages are added in the
terminal. delete also removes the destination from all alerts and its waiting messages.

${SERVICE_HELP}

Exit status: 0 done, 1 refused or not reachable, 2 invalid arguments.
`;

export const destinations = (args: string[]): Promise<number> =>
  runRemote(args, { help: HELP, flags: { values: ['name'] }, actions: ACTIONS });

const ACTIONS: RemoteActions = {
  async list({ service, on, none }) {
    none('destinations list [--json]');
    const { items } = await service.call('destinations');
    printRows(
      on,
      items,
      ['ID', 'CHANNEL', 'ADDRESS', 'NAME', 'STATE', 'WAITING', 'LAST DELIVERY', 'FAILURE'],
      (each: Destination) => [
        each.id,
        each.channel,
        each.address,
        each.name ?? '-',
        each.state,
        String(each.waiting),
        each.last_delivered_at ?? 'never',
        each.failure ?? '-',
      ],
    );
  },

  async add({ service, on, flags, words }) {
    const created = await service.call('createDestination', { body: { ...addressOf(words), name: flags.name } });
    printOne(on, created, destinationLines(created));
  },

  async verify({ service, on, words }) {
    const [id, code, ...rest] = words;
    if (id === undefined || code === undefined || rest.length > 0)
      throw new UsageError('usage: tickwire destinations verify ID CODE');
    const verified = await service.call('verifyDestination', { id, body: { code } });
    printOne(on, verified, [`Destination ${verified.id} (${plain(verified.address)}) is ${verified.state}.`]);
  },

  async test({ service, on, only }) {
    const id = only('destinations test ID');
    const test = await service.call('testDestination', { id });
    printOne(on, test, [
      `Test message: ${test.deliveries.join(', ')}. "tickwire deliveries list --destination ${id}" shows its state.`,
    ]);
  },

  async delete({ service, on, only }) {
    const deleted = await service.call('deleteDestination', { id: only('destinations delete ID') });
    printOne(on, deleted, [`Destination ${deleted.id} (${plain(deleted.address)}) is deleted.`]);
  },
};

function addressOf([channel, address, ...rest]: readonly string[]): object {
  const usage = 'usage: tickwire destinations add webhook|discord|slack|email|telegram [ADDRESS] [--name NAME]';
  if (channel === 'push') throw new UsageError('browsers for push messages are added in the terminal');
  if (!(OUTSIDE_CHANNELS as readonly (string | undefined)[]).includes(channel) || rest.length > 0)
    throw new UsageError(usage);
  if ((channel === 'telegram') !== (address === undefined)) throw new UsageError(usage);
  return { channel, ...(address !== undefined && { [channel === 'email' ? 'address' : 'url']: address }) };
}
