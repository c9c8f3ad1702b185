// `tickwire alerts`: the alerts of an account, over REST.
import { type Alert, type AlertFiring, NUMBER_FORMATS } from '@tickwire/contract';
import { UsageError, wholeNumber } from './arguments.ts';
import { CONDITION_FLAGS, CONDITION_HELP, conditionOf } from './condition-flags.ts';
import { conditionText } from './condition-text.ts';
import {
  DELIVER_FLAGS,
  deliverOf,
  destinationLines,
  plain,
  printOne,
  printRows,
  type RemoteActions,
  type RemoteArguments,
  runRemote,
} from './remote-command.ts';
import { SERVICE_HELP } from './service-address.ts';

const HELP = `tickwire alerts list [--symbol SYMBOL] [--state active|paused|done|expired] [--json]
tickwire alerts create [SYMBOL] CONDITION [--repeat once] [--webhook URL] [--to DESTINATION] [--note TEXT] [--json]
tickwire alerts show ID [--json]
tickwire alerts pause|resume|delete|test ID [--json]
tickwire alerts log [ID] [--before FIRING] [--limit 50] [--json]
tickwire alerts preferences [--time-zone ZONE] [--number-format FORMAT] [--json]

  tickwire alerts create EURUSD --cross above --level 1.2 --webhook https://example.org/hook --note "Sell half"
  tickwire alerts create BTCUSD --indicator "rsi(14)" --interval 1h --cross below --value 30 --repeat every_time
  tickwire alerts create --headline --category gold --words "record,central bank" --to dst_2a1b5d7e8f603f9c

${CONDITION_HELP}

Options of create:
  --repeat once|once_per_bar|every_time   how often it fires (default once)
  --bar 5m                                bar of once_per_bar (default: that of the condition, or 1m)
  --cooldown SECONDS                      time after a firing without another one
  --expires TIME                          when it ends, such as 2026-12-31T17:00:00Z
  --webhook URL, --discord URL, --slack URL, --email ADDRESS
                                          where to deliver; the secret of a new webhook is shown only once
  --to ID                                 deliver to a destination that exists; several are separated by commas
  --note TEXT                             note that is delivered with the message

log shows what fired, newest first. test sends a test message to each destination of the alert.
preferences shows how messages write times and numbers, and changes it if flags are given: --time-zone Europe/Berlin,
--number-format ${NUMBER_FORMATS.join('|')}.

${SERVICE_HELP}

Exit status: 0 done, 1 refused or not reachable, 2 invalid arguments.
`;

const VALUES = [
  'symbol',
  'state',
  'repeat',
  'bar',
  'cooldown',
  'expires',
  'note',
  'before',
  'limit',
  'time-zone',
  'number-format',
  ...DELIVER_FLAGS,
];

export const alerts = (args: string[]): Promise<number> =>
  runRemote(args, {
    help: HELP,
    flags: { values: [...VALUES, ...CONDITION_FLAGS], switches: ['headline'] },
    actions: ACTIONS,
  });

const NOT_CHECKED: Readonly<Record<NonNullable<Alert['not_checked']>, string>> = {
  instrument_not_configured: 'instrument is not configured',
};

const stateText = ({ state, not_checked }: Alert): string =>
  not_checked === null ? state : `${state}, not checked: ${NOT_CHECKED[not_checked]}`;

const ACTIONS: RemoteActions = {
  async list({ service, on, flags, none }) {
    none('alerts list [--symbol SYMBOL] [--state STATE] [--json]');
    const { items } = await service.call('alerts', { query: { symbol: flags.symbol, state: flags.state } });
    printRows(
      on,
      items,
      ['ID', 'SYMBOL', 'CONDITION', 'REPEAT', 'STATE', 'FIRED', 'LAST FIRED', 'DELIVER'],
      (alert: Alert) => [
        alert.id,
        alert.symbol ?? '-',
        conditionText(alert.condition),
        repeatText(alert),
        stateText(alert),
        String(alert.fired),
        alert.last_fired_at ?? 'never',
        alert.deliver.map(({ channel, address }) => `${channel} ${address}`).join(', ') || 'in_app',
      ],
    );
  },

  async create({ service, on, flags, words }) {
    if (words.length > 1) throw new UsageError('usage: tickwire alerts create [SYMBOL] CONDITION; see --help');
    const { created_destinations, ...alert } = await service.call('createAlert', {
      body: requestOf({ flags, on }, words[0]),
    });
    printOne(on, { ...alert, created_destinations }, [
      `Alert ${alert.id} is ${alert.state}: ${describe(alert)}.`,
      ...created_destinations.flatMap(destinationLines),
    ]);
  },

  async show({ service, on, only }) {
    const alert = await service.call('alert', { id: only('alerts show ID [--json]') });
    printOne(on, alert, [
      `Alert      ${alert.id}`,
      `Symbol     ${alert.symbol ?? '-'}`,
      `Condition  ${plain(conditionText(alert.condition))}`,
      `Repeat     ${repeatText(alert)}`,
      `State      ${stateText(alert)}`,
      `Created    ${alert.created_at}`,
      `Expires    ${alert.expires_at ?? 'never'}`,
      `Fired      ${alert.fired}${alert.last_fired_at === null ? '' : `, last ${alert.last_fired_at}`}`,
      ...alert.deliver.map(({ channel, destination, address }) =>
        `Deliver    ${channel} ${plain(address)} ${destination ?? ''}`.trimEnd(),
      ),
      ...(alert.note === null ? [] : [`Note       ${plain(alert.note)}`]),
    ]);
  },

  async pause({ service, on, only }) {
    const alert = await service.call('pauseAlert', { id: only('alerts pause ID') });
    printOne(on, alert, [`Alert ${alert.id} is ${alert.state}.`]);
  },

  async resume({ service, on, only }) {
    const alert = await service.call('resumeAlert', { id: only('alerts resume ID') });
    printOne(on, alert, [`Alert ${alert.id} is ${alert.state}. What happened during the pause does not fire it.`]);
  },

  async delete({ service, on, only }) {
    const alert = await service.call('deleteAlert', { id: only('alerts delete ID') });
    printOne(on, alert, [`Alert ${alert.id} is deleted.`]);
  },

  async test({ service, on, only }) {
    const id = only('alerts test ID');
    const test = await service.call('testAlert', { id });
    printOne(on, test, [
      test.deliveries.length === 0
        ? `Alert ${id} has no destination to test.`
        : `Test messages: ${test.deliveries.join(', ')}. "tickwire deliveries list --alert ${id}" shows their state.`,
    ]);
  },

  async log({ service, on, flags, words }) {
    if (words.length > 1)
      throw new UsageError('usage: tickwire alerts log [ID] [--before FIRING] [--limit 50] [--json]');
    const { items } = await service.call('firings', {
      query: { alert: words[0], before: flags.before, limit: flags.limit },
    });
    printRows(on, items, ['ID', 'TIME', 'ALERT', 'PRICE', 'LATE', 'TITLE'], (firing: AlertFiring) => [
      firing.id,
      firing.time,
      firing.alert_id,
      firing.price === null ? '-' : String(firing.price),
      firing.late ? 'late' : '-',
      firing.title,
    ]);
  },

  async preferences({ service, on, flags, none }) {
    none('alerts preferences [--time-zone ZONE] [--number-format FORMAT] [--json]');
    const { 'time-zone': time_zone, 'number-format': number_format } = flags;
    const isChange = time_zone !== undefined || number_format !== undefined;
    const preferences = isChange
      ? await service.call('setPreferences', { body: { time_zone, number_format } })
      : await service.call('preferences');
    printOne(on, preferences, [
      `Time zone      ${preferences.time_zone}`,
      `Number format  ${preferences.number_format}`,
    ]);
  },
};

function requestOf({ flags, on }: Pick<RemoteArguments, 'flags' | 'on'>, symbol: string | undefined): object {
  const { repeat, bar: interval, cooldown, expires, note } = flags;
  return {
    symbol: symbol ?? flags.symbol,
    condition: conditionOf(flags, on),
    repeat,
    interval,
    cooldown_seconds: cooldown === undefined ? undefined : wholeNumber('--cooldown', cooldown, 0, 604_800),
    expires_at: expires === undefined ? undefined : instant(expires),
    deliver: deliverOf(flags),
    note,
  };
}

function instant(text: string): string {
  const time = Date.parse(text);
  if (!Number.isNaN(time) && /^\d{4}-\d\d-\d\d/.test(text)) return new Date(time).toISOString();
  throw new UsageError(`--expires is ${JSON.stringify(text)}, but must be a time such as 2026-12-31T17:00:00Z`);
}

const describe = (alert: Alert): string =>
  plain(
    [
      alert.symbol === null ? conditionText(alert.condition) : `${alert.symbol} ${conditionText(alert.condition)}`,
      repeatText(alert),
    ].join(', '),
  );

function repeatText({ repeat, interval, cooldown_seconds }: Alert): string {
  const pause = cooldown_seconds > 0 ? `, ${cooldown_seconds} s apart` : '';
  return `${repeat.replaceAll('_', ' ')}${interval === null ? '' : ` of ${interval}`}${pause}`;
}
