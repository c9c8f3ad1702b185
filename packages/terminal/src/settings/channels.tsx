// Chats from which the account publishes: how to link one, how it publishes, and what became of its messages.
import { useSignal } from '@preact/signals';
import type { ChatChannel, ChatMessage, CoreClient, CreatedChatChannel } from '@tickwire/client';
import { CHANNEL } from '../alerts/alert-labels.ts';
import { ChatLink } from '../alerts/chat-link.tsx';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Check, Form, SelectField } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import type { SettingsProps } from './section.ts';

/** Chats are linked, and messages written, without this page. */
const RELOAD_MS = 5_000;
const MODES = [
  { value: 'review', text: 'after I confirm a preview' },
  { value: 'automatic', text: 'at once, if the message is clear' },
] as const;
type Mode = ChatChannel['mode'];
type Platform = ChatChannel['platform'];
const PLATFORMS = (['telegram', 'discord'] as const).map((value) => ({ value, text: CHANNEL[value] }));

export function Channels({ client, account, notifier }: SettingsProps) {
  const channels = useRemote((signal) => client.chatChannels({ signal }), [account.id]);
  const created = useSignal<CreatedChatChannel | null>(null);
  const open = useSignal<string | null>(null);
  const linkedIds = channels.data?.items.filter(({ linked_at }) => linked_at !== null).map(({ id }) => id) ?? [];
  const remove = ({ id, title }: ChatChannel): void =>
    askToConfirm({
      title: title === null ? 'Remove this channel?' : `Remove “${title}”?`,
      text: 'Its signals stay published.',
      confirm: 'Remove',
      act: async () => {
        await client.deleteChatChannel(id);
        if (open.peek() === id) open.value = null;
        if (created.peek()?.id === id) created.value = null;
        await channels.refresh();
      },
    });
  const change = (id: string, mode: Mode): void => {
    client.changeChatChannel(id, { mode }).then(
      () => void channels.refresh(),
      (error: unknown) => notifier.reportError(error, 'Channels'),
    );
  };
  const actions: Column<ChatChannel> = {
    head: '',
    cell: (channel) => (
      <span class="row-actions">
        {channel.linked_at !== null && <Button onClick={() => (open.value = channel.id)}>Messages</Button>}
        <Button onClick={() => change(channel.id, channel.mode === 'review' ? 'automatic' : 'review')}>
          {channel.mode === 'review' ? 'Publish at once' : 'Ask first'}
        </Button>
        <Button onClick={() => remove(channel)}>Remove</Button>
      </span>
    ),
  };
  return (
    <>
      {created.value?.link && (
        <ChatLink
          link={created.value.link}
          where="In a private chat, send this code to the bot. In a channel, add the bot first, on Telegram as an administrator, then post this code (on Telegram /link and the code), and delete the post: until it is linked, any reader could link another with it. Check its title below."
          linked={linkedIds.includes(created.value.id)}
          onDone={() => {
            created.value = null;
          }}
        />
      )}
      <Panel title="Your channels">
        <RemoteSection remote={channels} everyMs={RELOAD_MS}>
          {({ items }) => (
            <Table
              caption="Channels"
              columns={[...COLUMNS, actions]}
              rows={items}
              keyOf={({ id }) => id}
              empty="No channels yet."
            />
          )}
        </RemoteSection>
      </Panel>
      {open.value !== null && <Messages key={open.value} client={client} channel={open.value} />}
      <Panel title="Link a channel">
        <Form
          submit="Create code"
          onSubmit={async (values, form) => {
            created.value = await client.createChatChannel({
              platform: values.text('platform') as Platform,
              mode: values.text('mode') as Mode,
              keep_text: values.all('keep_text').length > 0,
            });
            form.reset();
            await channels.refresh();
          }}
        >
          <SelectField name="platform" label="Platform" choices={PLATFORMS} />
          <SelectField name="mode" label="Publish" choices={MODES} />
          <Check name="keep_text">Keep the texts of messages, and show those of edits</Check>
        </Form>
      </Panel>
    </>
  );
}

function Messages({ client, channel }: { readonly client: CoreClient; readonly channel: string }) {
  const messages = useRemote((signal) => client.chatMessages(channel, {}, { signal }), [channel]);
  return (
    <Panel title="Messages">
      <RemoteSection remote={messages} everyMs={RELOAD_MS}>
        {({ items }) => (
          <Table
            caption="Messages"
            columns={MESSAGE_COLUMNS}
            rows={items}
            keyOf={({ received_at, sent_at, detail }) => `${received_at} ${sent_at} ${detail}`}
            empty="No messages yet."
          />
        )}
      </RemoteSection>
    </Panel>
  );
}

const COLUMNS: readonly Column<ChatChannel>[] = [
  { head: 'Platform', cell: ({ platform }) => CHANNEL[platform] },
  { head: 'Chat', cell: ({ title }) => title ?? 'waits for its code' },
  { head: 'Publishes', cell: ({ mode }) => MODES.find(({ value }) => value === mode)!.text },
  { head: 'State', cell: ({ problem, linked_at }) => problem ?? (linked_at === null ? 'not linked' : 'linked') },
];

const MESSAGE_COLUMNS: readonly Column<ChatMessage>[] = [
  { head: 'Outcome', cell: ({ outcome }) => outcome },
  {
    head: 'Details',
    cell: ({ detail, signal_id }) => (signal_id === null ? detail : <a href={`/signals/${signal_id}`}>{detail}</a>),
  },
  { head: 'Received', cell: ({ received_at }) => <RelativeTime at={received_at} /> },
];
