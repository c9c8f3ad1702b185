// ChatStore in SQL that both SQLite and PostgreSQL understand.
import type { ChatChannelRow, ChatEditRow, ChatMessageRow, ChatStore, SignalEditRow } from '../chat-store.ts';
import { rows, run, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';
import { insert, put, storedFields } from './stored-fields.ts';
import { CHAT_CHANNELS, CHAT_EDITS, CHAT_MESSAGES } from './tables/chat-tables.ts';

const CHANNELS = storedFields(CHAT_CHANNELS);
const MESSAGES = storedFields(CHAT_MESSAGES);
const EDITS = storedFields(CHAT_EDITS);

function* messagesWhere(condition: string, ...values: readonly SqlValue[]): SharedWork<ChatMessageRow[]> {
  return yield* rows<ChatMessageRow>(`SELECT ${MESSAGES.select} FROM chat_messages WHERE ${condition}`, ...values);
}

function* messageWhere(condition: string, ...values: readonly SqlValue[]): SharedWork<ChatMessageRow | undefined> {
  return (yield* messagesWhere(`${condition} LIMIT 1`, ...values))[0];
}

export function createChatStore({ read, write }: WorkRunner): ChatStore {
  return {
    channels: () =>
      read(() => rows<ChatChannelRow>(`SELECT ${CHANNELS.select} FROM chat_channels ORDER BY created_at, id`)),
    putChannel: (channel) => write(() => put(CHANNELS, [{ ...channel }])),
    deleteChannel: (id) =>
      write(function* () {
        yield* run('DELETE FROM chat_channels WHERE id = $1', id);
        const unpublished = `channel = $1 AND outcome <> 'published'`;
        yield* run(
          `DELETE FROM chat_edits WHERE channel = $1
           AND message IN (SELECT message FROM chat_messages WHERE ${unpublished})`,
          id,
        );
        yield* run(`DELETE FROM chat_messages WHERE ${unpublished}`, id);
        yield* run(`UPDATE chat_messages SET posting = 'done' WHERE channel = $1`, id);
      }),
    message: (channel, message) => read(() => messageWhere('channel = $1 AND message = $2', channel, message)),
    publishedBy: (signal, channel) =>
      read(() =>
        channel === undefined
          ? messageWhere(`signal = $1 AND outcome = 'published'`, signal)
          : messageWhere(`signal = $1 AND outcome = 'published' AND channel = $2`, signal, channel),
      ),
    answeredBy: (channel, answer) => read(() => messageWhere('channel = $1 AND answer = $2', channel, answer)),
    messages: (channel, limit) =>
      read(() => messagesWhere('channel = $1 ORDER BY received_at DESC, message DESC LIMIT $2', channel, limit)),
    addMessage: (message) =>
      write(function* () {
        const { channel, message: id } = message;
        if (yield* messageWhere('channel = $1 AND message = $2', channel, id)) return;
        yield* insert(MESSAGES, [{ ...message }]);
      }),
    decide: (channel, message, { outcome, detail, signal, reply, posting }) =>
      write(() =>
        run(
          `UPDATE chat_messages SET outcome = $3, detail = $4, signal = $5, reply = $6, posting = $7, draft = NULL
           WHERE channel = $1 AND message = $2`,
          ...[channel, message, outcome, detail, signal, reply, posting],
        ),
      ),
    answering: (platform) =>
      read(function* () {
        const text = `SELECT DISTINCT channel FROM chat_messages WHERE posting = 'answer' AND platform = $1`;
        return (yield* rows<{ channel: string }>(text, platform)).map(({ channel }) => channel);
      }),
    nextAnswer: (channel) =>
      read(() => messageWhere(`channel = $1 AND posting = 'answer' ORDER BY received_at, message`, channel)),
    answered: ({ channel, message, reply }, answer, posting) =>
      write(() =>
        run(
          `UPDATE chat_messages SET answer = COALESCE(answer, $3),
             posting = CASE WHEN reply = $4 THEN $5 ELSE posting END
           WHERE channel = $1 AND message = $2`,
          ...[channel, message, answer, reply, posting],
        ),
      ),
    watched: (platform) =>
      read(function* () {
        const text = `SELECT signal FROM chat_messages
          WHERE posting = 'watched' AND signal IS NOT NULL AND platform = $1`;
        return (yield* rows<{ signal: string }>(text, platform)).map(({ signal }) => signal);
      }),
    setPosted: ({ channel, message }, n, posting) =>
      write(() =>
        run(
          `UPDATE chat_messages SET posted = $3, posting = $4
           WHERE channel = $1 AND message = $2 AND posting = 'watched'`,
          ...[channel, message, n, posting],
        ),
      ),
    addEdit: (edit) => write(() => put(EDITS, [{ ...edit }])),
    lastEdit: (channel, message) =>
      read(function* () {
        const text = `SELECT ${EDITS.select} FROM chat_edits WHERE channel = $1 AND message = $2
          ORDER BY number DESC LIMIT 1`;
        return (yield* rows<ChatEditRow>(text, channel, message))[0];
      }),
    edits: (signal) =>
      read(() =>
        rows<SignalEditRow>(
          `SELECT e.channel, e.message, e.number, e.at, e.old_hash AS "oldHash", e.new_hash AS "newHash", e.text,
             m.platform
           FROM chat_messages m JOIN chat_edits e ON e.channel = m.channel AND e.message = m.message
           WHERE m.signal = $1 AND m.outcome = 'published' ORDER BY e.at, e.number`,
          signal,
        ),
      ),
    expirePreviews: (before, detail) =>
      write(() =>
        run(
          // A preview that was never sent is answered with the reason: nobody can press its buttons any more.
          `UPDATE chat_messages SET outcome = 'expired', detail = $2, draft = NULL,
             reply = CASE WHEN posting = 'answer' THEN $2 ELSE reply END
           WHERE outcome = 'preview' AND received_at < $1`,
          ...[before, detail],
        ),
      ),
    pruneMessages: (before) =>
      write(function* () {
        const old = `outcome <> 'published' AND outcome <> 'preview' AND received_at < $1`;
        yield* run(
          `DELETE FROM chat_edits WHERE (channel, message) IN (SELECT channel, message FROM chat_messages WHERE ${old})`,
          before,
        );
        yield* run(`DELETE FROM chat_messages WHERE ${old}`, before);
      }),
  };
}
