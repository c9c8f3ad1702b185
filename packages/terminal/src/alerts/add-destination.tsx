// The form that adds a destination. What it asks for depends on the channel.
import type { CoreClient, CreatedDestination, Destination, DestinationRequest } from '@tickwire/client';
import { useState } from 'preact/hooks';
import { Form, type FormHandle, type FormValues, SelectField, TextField } from '../ui/form.tsx';
import { CHANNEL } from './alert-labels.ts';
import { pushProblem, subscribeThisBrowser } from './push-subscription.ts';

type Channel = Destination['channel'];

const CHANNELS = (['webhook', 'telegram', 'email', 'push', 'discord', 'slack'] as const).map((value) => ({
  value,
  text: value === 'push' ? 'This browser (push)' : CHANNEL[value],
}));

const EXPLANATION: Readonly<Record<Channel, string>> = {
  webhook: 'A signed POST request to your URL, as in Standard Webhooks. The signing secret is shown once.',
  telegram: 'You get a code to send to the bot, which links your chat or group.',
  email: 'You get a code by e-mail. Every e-mail has a link to unsubscribe.',
  push: 'Notifications in this browser, even while the terminal is closed.',
  discord: 'The address of a webhook of your channel: Channel settings › Integrations. A code is posted there.',
  slack: 'The address of an incoming webhook of your Slack app. A code is posted to its channel.',
};

interface Props {
  readonly client: CoreClient;
  readonly onCreated: (destination: CreatedDestination) => void;
  /** This browser was added. */
  readonly onPushed: () => void;
}

export function AddDestination({ client, onCreated, onPushed }: Props) {
  const [channel, setChannel] = useState<Channel>('webhook');
  const submit = async (values: FormValues, form: FormHandle): Promise<void> => {
    if (channel === 'push') {
      const problem = pushProblem();
      if (problem !== null) {
        form.show(problem, 'bad');
        return;
      }
      form.show('Waiting for the first message to this browser…');
      const failed = await subscribeThisBrowser(client, values.text('name').trim());
      form.show(failed ?? 'This browser receives your alerts.', failed === null ? 'good' : 'bad');
      onPushed();
      return;
    }
    onCreated(await client.createDestination(requestOf(channel, values)));
    form.reset();
  };
  return (
    <Form submit={channel === 'push' ? 'Use this browser' : 'Add'} onSubmit={submit}>
      <SelectField
        name="channel"
        label="Channel"
        hint={EXPLANATION[channel]}
        choices={CHANNELS}
        value={channel}
        onChange={setChannel}
      />
      {['webhook', 'discord', 'slack'].includes(channel) && (
        <TextField key={channel} name="url" label="Address" placeholder="https://" mono maxLength={2_048} />
      )}
      {channel === 'email' && <TextField name="address" label="E-mail address" autocomplete="email" maxLength={254} />}
      <TextField name="name" label="Name (optional)" maxLength={64} prose optional />
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
