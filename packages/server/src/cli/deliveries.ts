// `tickwire deliveries`: the delivery log of an account, over REST.
import type { Delivery } from '@tickwire/contract';
import { printOne, printRows, type RemoteActions, runRemote } from './remote-command.ts';
import { SERVICE_HELP } from './service-address.ts';

const HELP = `tickwire deliveries list [--state waiting|delivered|dead] [--destination ID] [--alert ID] [--before ID] [--limit 50] [--json]
tickwire deliveries replay ID [--json]

list shows messages with their state, attempts and latency, newest first; --before takes the id of the last row for the next page.
A message is tried for 24 hours and is then dead. replay tries a dead message again, with the same id.

${SERVICE_HELP}

Exit status: 0 done, 1 refused or not reachable, 2 invalid arguments.
`;

const FILTERS = ['state', 'destination', 'alert', 'before', 'limit'] as const;

export const deliveries = (args: string[]): Promise<number> =>
  runRemote(args, { help: HELP, flags: { values: FILTERS }, actions: ACTIONS });

const ACTIONS: RemoteActions = {
  async list({ service, on, flags, none }) {
    none('deliveries list [--state STATE] [--destination ID] [--alert ID] [--limit 50] [--json]');
    const query = Object.fromEntries(FILTERS.map((name) => [name, flags[name]]));
    const { items } = await service.call('deliveries', { query });
    printRows(
      on,
      items,
      ['ID', 'CREATED', 'CHANNEL', 'DESTINATION', 'STATE', 'ATTEMPTS', 'LATENCY', 'TITLE', 'REASON'],
      (each: Delivery) => [
        each.id,
        each.created_at,
        each.channel,
        each.destination,
        each.state,
        String(each.attempts),
        each.latency_ms === null ? '-' : `${each.latency_ms} ms`,
        each.title,
        each.reason ?? '-',
      ],
    );
  },

  async replay({ service, on, only }) {
    const delivery = await service.call('replayDelivery', { id: only('deliveries replay ID') });
    printOne(on, delivery, [`Message ${delivery.id} is ${delivery.state} and will be tried for 24 hours.`]);
  },
};
