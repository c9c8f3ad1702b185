// The form that adds a destination. What it asks for depends on the channel.
import { useSignal } from '@preact/signals';
import type { CoreClient, CreatedDestination, Destination, DestinationRequest } from '@tickwire/client';
import { Field, Form, type FormHandle, type FormValues, TextField } from '../ui/form.tsx';
import { CHANNEL } from './alert-labels.ts';
import { pushProblem, subscribeThisBrowser } from './push-subscription.ts';

type Channel = Destination['channel'];

const CHANNELS: readonly Channel[] = ['webhook', 'telegram', 'email', 'push', 'discord', 'slack'];

const EXPLANATION: Readonly<Record<Channel, string>> = {
  webhook: 'A POST to your address, signed by the rules of Standard Webhooks. You get the secret once.',
  telegram: 'You get a code to send to the bot, which links your chat or group.',
  email: 'You get a code by mail. Every mail has a link that unsubscribes.',
  push: 'Notifications of this browser, also while the terminal is closed.',
  discord: 'The address of a webhook of your channel: Channel settings › Integrations. The channel gets a code.',
  slack: 'The address of an incoming webhook of your Slack app. The channel gets a code.',
};

interface Props {
  readonly client: CoreClient;
  readonly onCreated: (destination: CreatedDestination) => void;
  /** This browser was added. */
  readonly onPushed: () => void;
}

export function AddDestination({ client, onCreated, onPushed }: Props) {
  const channel = useSignal<Channel>('webhook');
  const submit = async (values: FormValues, form: FormHandle): Promise<void> => {
    if (channel.value === 'push') {
      const problem = pushProblem();
      if (problem !== null) {
        form.show(problem, 'bad');
        return;
      }
      form.show('Waiting for the first message to this browser…');
      const failed = await subscribeThisBrowser(client, values.text('name').trim());
      form.show(failed ?? 'This browser gets your alerts.', failed === null ? 'good' : 'bad');
      onPushed();
      return;
    }
    onCreated(await client.createDestination(requestOf(channel.value, values)));
    form.reset();
  };
  return (
    <Form submit={channel.value === 'push' ? 'Use this browser' : 'Add'} onSubmit={submit}>
      <Field name="channel" label="Channel" hint={EXPLANATION[channel.value]}>
        {(control) => (
          <select
            {...control}
            value={channel.value}
            onChange={({ currentTarget }) => {
              channel.value = currentTarget.value as Channel;
            }}
          >
            {CHANNELS.map((each) => (
              <option key={each} value={each}>
                {each === 'push' ? 'This browser (push)' : CHANNEL[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {['webhook', 'discord', 'slack'].includes(channel.value) && (
        <TextField key={channel.value} name="url" label="Address" placeholder="https://" mono maxLength={2_048} />
      )}
      {channel.value === 'email' && (
        <TextField name="address" label="E-mail address" autocomplete="email" maxLength={254} />
      )}
      <Field name="name" label="Name (optional)">
        {(control) => <input {...control} maxLength={64} autocomplete="off" />}
      </Field>
    </Form>
  );
}

function requestOf(channel: Exclude<Channel, 'push'>, values: FormValues): DestinationRequest {
  const name = values.text('name').trim();
  const named = name === '' ? {} : { name };
  if (channel === 'telegram') return { channel, ...named };
  if (channel === 'email') return { channel, address: values.text('address').trim(), ...named };
  return { channel, url: values.text('url').trim(), ...named };
}
