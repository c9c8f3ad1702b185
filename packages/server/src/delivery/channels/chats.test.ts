import { describe, expect, test } from 'bun:test';
import { FakeDiscord, FakeSlack } from '../../../testing/delivery/fake-chats.fixture.ts';
import { ALERT, codeMessage, HEADLINE, outgoing } from '../../../testing/delivery/messages.fixture.ts';
import { OutgoingHttp } from '../outgoing-http.ts';
import { discordChannel } from './discord.ts';
import { slackChannel } from './slack.ts';

const http = new OutgoingHttp({ allowPrivate: true });
const impatient = new OutgoingHttp({ allowPrivate: true, limits: { totalMs: 1_000 } });
const { signal } = new AbortController();

describe('Discord', () => {
  const channel = discordChannel(http);

  test('gets the message, without mentions and previews', async () => {
    await using discord = await FakeDiscord.open();
    const ping = outgoing({ ...ALERT, data: { ...ALERT.data, note: '@everyone <@1> **now**' } });
    expect(await channel.send({ url: discord.webhook }, ping, signal)).toEqual({ result: 'delivered' });
    expect(await channel.send({ url: discord.webhook }, codeMessage(), signal)).toEqual({ result: 'delivered' });
    expect(discord.messages[0]).toMatchObject({
      content: expect.stringContaining('\\@everyone \\<\\@1\\> \\*\\*now\\*\\*'),
      allowed_mentions: { parse: [] },
      flags: 4,
    });
    expect(discord.messages[1]!.content).toContain('482913');
    expect(discord.server.requests[0]!.path).toEndWith('?wait=true');
  });

  test('keeps the thread of the address', async () => {
    await using discord = await FakeDiscord.open();
    await channel.send({ url: `${discord.webhook}?thread_id=9` }, outgoing(), signal);
    expect(discord.server.requests[0]!.path).toEndWith('?thread_id=9&wait=true');
  });

  test('is tried again after its own wait and after failures', async () => {
    await using discord = await FakeDiscord.open();
    discord.server.misbehave(
      { status: 429, body: '{"message":"You are being rate limited.","retry_after":0.653,"global":false}' },
      { status: 429, headers: { 'Retry-After': '3' }, body: 'garbage' },
      { status: 502 },
      'garbage',
      'drop',
      'hang',
    );
    const send = (by = channel) => by.send({ url: discord.webhook }, outgoing(), signal);
    expect(await send()).toEqual({ result: 'retry', reason: 'status 429: too many messages', afterMs: 653 });
    expect(await send()).toEqual({ result: 'retry', reason: 'status 429', afterMs: 3_000 });
    for (let count = 0; count < 3; count++) expect(await send()).toMatchObject({ result: 'retry' });
    expect(await send(discordChannel(impatient))).toMatchObject({ result: 'retry' });
    expect(await send()).toEqual({ result: 'delivered' });
  });

  test('with a deleted webhook gets no more messages', async () => {
    await using discord = await FakeDiscord.open();
    const url = discord.server.url('/api/webhooks/1/deleted');
    expect(await channel.send({ url }, outgoing(), signal)).toMatchObject({ result: 'rejected', unsubscribe: true });
  });
});

describe('Slack', () => {
  const channel = slackChannel(http);

  test('gets plain text, escaped', async () => {
    await using slack = await FakeSlack.open();
    expect(await channel.send({ url: slack.webhook }, outgoing(HEADLINE), signal)).toEqual({ result: 'delivered' });
    expect(slack.messages[0]).toMatchObject({ mrkdwn: false, unfurl_links: false, unfurl_media: false });
    expect(slack.messages[0]!.text).toStartWith('Fed holds rates &amp; signals &lt;two&gt; cuts_in *2026*\n');
  });

  test('is tried again after failures, as late as it asks for', async () => {
    await using slack = await FakeSlack.open();
    slack.server.misbehave(
      { status: 429, headers: { 'Retry-After': '30' } },
      { status: 500 },
      'drop',
      'garbage',
      'hang',
    );
    const send = (by = channel) => by.send({ url: slack.webhook }, outgoing(), signal);
    expect(await send()).toMatchObject({ result: 'retry', afterMs: 30_000 });
    for (let count = 0; count < 3; count++) expect(await send()).toMatchObject({ result: 'retry' });
    expect(await send(slackChannel(impatient))).toMatchObject({ result: 'retry' });
    expect(await send()).toEqual({ result: 'delivered' });
  });

  test('with a deleted webhook gets no more messages', async () => {
    await using slack = await FakeSlack.open();
    const send = (path: string) => channel.send({ url: slack.server.url(path) }, outgoing(), signal);
    expect(await send('/services/none')).toMatchObject({ result: 'rejected', unsubscribe: true });
    slack.server.misbehave({ status: 403, body: 'action_prohibited' });
    expect(await send('/services/none')).toEqual({ result: 'retry', reason: 'status 403', reached: true });
  });
});
