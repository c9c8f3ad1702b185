// Requirements on every store: chats from which accounts publish, their messages, and edits.
import { describe, expect, test } from 'bun:test';
import type { ChatStore } from '../../src/store/chat-store.ts';
import type { Store } from '../../src/store/store.ts';
import { chatChannel, chatEdit, chatMessage } from './chat-samples.fixture.ts';

/** `current` returns the store of the running test. */
export function chatStoreContract(current: () => Store): void {
  const store = (): ChatStore => current().chat;
  const published = (channel: string, message: string, signal: string) =>
    chatMessage(channel, message, { outcome: 'published', signal, reply: signal });

  describe('chat channels', () => {
    test('are listed oldest first and replaced; a chat belongs to one of them', async () => {
      const waiting = chatChannel('b', { chat: null, title: null, linkedAt: null, codeHash: 'c', codeExpiresAt: 9 });
      for (const row of [waiting, chatChannel('a', { createdAt: 500 })]) await store().putChannel(row);
      await store().putChannel(chatChannel('c', { chat: null }));
      const changed = chatChannel('b', { mode: 'automatic', keepText: 1, author: '7', problem: 'blocked' });
      await store().putChannel(changed);
      expect(await store().channels()).toEqual([
        chatChannel('a', { createdAt: 500 }),
        changed,
        chatChannel('c', { chat: null }),
      ]);
      expect(store().putChannel(chatChannel('d', { chat: '-a' }))).rejects.toThrow();
    });

    test('leave messages with signals and their edits when they are deleted', async () => {
      await store().putChannel(chatChannel('a'));
      await store().addMessage(published('a', '1', 'sig_1'));
      await store().addMessage(chatMessage('a', '2'));
      await store().addMessage(chatMessage('b', '2'));
      for (const message of ['1', '2']) await store().addEdit(chatEdit('a', message, 1));
      await store().deleteChannel('a');
      expect(await store().channels()).toEqual([]);
      expect(await store().messages('a', 9)).toEqual([{ ...published('a', '1', 'sig_1'), posting: 'done' }]);
      expect(await store().edits('sig_1')).toEqual([{ ...chatEdit('a', '1', 1), platform: 'telegram' }]);
      expect(await store().lastEdit('a', '2')).toBeUndefined();
      expect(await store().answering('telegram')).toEqual(['b']);
    });
  });

  describe('messages of a chat', () => {
    test('are stored once, and found by their ids, answers and signals', async () => {
      const first = published('a', '1', 'sig_1');
      await store().addMessage(first);
      await store().addMessage(chatMessage('a', '1', { detail: 'again' }));
      expect(await store().message('a', '1')).toEqual(first);
      expect(await store().message('b', '1')).toBeUndefined();
      await store().answered(first, '77', 'watched');
      const answered = { ...first, answer: '77', posting: 'watched' } as const;
      expect(await store().answeredBy('a', '77')).toEqual(answered);
      expect(await store().publishedBy('sig_1')).toEqual(answered);
      expect(await store().publishedBy('sig_1', 'a')).toEqual(answered);
      expect(await store().publishedBy('sig_1', 'b')).toBeUndefined();
      expect(await store().watched('telegram')).toEqual(['sig_1']);
      expect(await store().watched('discord')).toEqual([]);
      await store().setPosted(answered, 9, 'done');
      expect(await store().message('a', '1')).toEqual({ ...answered, posted: 9, posting: 'done' });
      expect(await store().watched('telegram')).toEqual([]);
    });

    test('are answered oldest first; a reply that was replaced meanwhile is still to be sent', async () => {
      const rows = [2, 1, 3].map((at) => chatMessage('a', String(at), { receivedAt: at, reply: `reply ${at}` }));
      for (const row of rows) await store().addMessage(row);
      const preview = chatMessage('b', '1', { outcome: 'preview', draft: '{}' });
      await store().addMessage(preview);
      expect((await store().answering('telegram')).sort()).toEqual(['a', 'b']);
      expect(await store().answering('discord')).toEqual([]);
      expect(await store().nextAnswer('a')).toEqual(rows[1]!);
      await store().answered(rows[1]!, null, 'done');
      expect(await store().nextAnswer('a')).toEqual(rows[0]!);
      const decision = {
        outcome: 'published',
        detail: 'ok',
        signal: 'sig_1',
        reply: 'link',
        posting: 'answer',
      } as const;
      await store().decide('b', '1', decision);
      await store().answered(preview, '5', 'done');
      const decided = { ...preview, ...decision, draft: null, answer: '5' };
      expect(await store().nextAnswer('b')).toEqual(decided);
      await store().answered(decided, '6', 'watched');
      expect(await store().message('b', '1')).toEqual({ ...decided, posting: 'watched' });
      expect((await store().messages('a', 2)).map(({ message }) => message)).toEqual(['3', '2']);
    });

    test('have edits in order', async () => {
      await store().addMessage(published('a', '1', 'sig_1'));
      for (const number of [1, 2]) await store().addEdit(chatEdit('a', '1', number));
      expect(await store().lastEdit('a', '1')).toEqual(chatEdit('a', '1', 2));
      expect((await store().edits('sig_1')).map(({ number }) => number)).toEqual([1, 2]);
      expect(await store().edits('sig_2')).toEqual([]);
    });

    test('expire as previews, and are deleted if they published nothing', async () => {
      await store().addMessage(published('a', '1', 'sig_1'));
      await store().addMessage(chatMessage('a', '2', { outcome: 'preview', draft: '{}' }));
      await store().addMessage(chatMessage('b', '2', { outcome: 'preview', draft: '{}', posting: 'done' }));
      await store().addMessage(chatMessage('a', '3', { receivedAt: 9_000 }));
      await store().addMessage(chatMessage('a', '4'));
      await store().addEdit(chatEdit('a', '4', 1));
      await store().expirePreviews(3_500, 'too late');
      expect(await store().message('a', '2')).toMatchObject({ outcome: 'preview' });
      await store().pruneMessages(4_000);
      await store().expirePreviews(4_000, 'too late');
      expect(await store().message('a', '2')).toMatchObject({ outcome: 'expired', detail: 'too late', draft: null });
      // It was not sent yet.
      expect(await store().message('a', '2')).toMatchObject({ reply: 'too late', posting: 'answer' });
      expect(await store().message('b', '2')).toMatchObject({ outcome: 'expired', reply: 'Not published.' });
      expect((await store().messages('a', 9)).map(({ message }) => message).sort()).toEqual(['1', '2', '3']);
      expect(await store().lastEdit('a', '4')).toBeUndefined();
    });
  });
}
