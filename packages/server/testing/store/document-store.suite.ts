// Requirements on every store: documents of accounts.
import { describe, expect, test } from 'bun:test';
import { DocumentLimitError, type DocumentWrite } from '../../src/store/document-store.ts';
import type { Store } from '../../src/store/store.ts';
import { refusalOf } from './samples.fixture.ts';

const limits = { documents: 3, bytes: 1_000 };

export function documentStoreContract(current: () => Store): void {
  describe('documents', () => {
    const account = async (name = 'Ada'): Promise<number> => (await current().access.createAccount(name, 'free', 1)).id;
    const put = (accountId: number, changes: Partial<DocumentWrite> = {}) =>
      current().access.putDocument({
        accountId,
        kind: 'layout',
        name: 'main',
        base: 0,
        value: '{"a":"ö\\u0000"}',
        bytes: 10,
        at: 5,
        limits,
        ...changes,
      });

    test('are created once, and replaced only by a change that is based on the stored revision', async () => {
      const { access } = current();
      const id = await account();
      expect(await access.document(id, 'layout', 'main')).toBeUndefined();
      expect(await put(id, { base: 1 })).toEqual({ conflict: 0 });
      expect(await put(id)).toEqual({ revision: 1 });
      expect(await put(id, { value: '{}' })).toEqual({ conflict: 1 });
      expect(await access.document(id, 'layout', 'main')).toEqual({
        kind: 'layout',
        name: 'main',
        revision: 1,
        updatedAt: 5,
        value: '{"a":"ö\\u0000"}',
      });
      expect(await put(id, { base: 1, value: '{}', at: 9 })).toEqual({ revision: 2 });
      expect(await put(id, { base: 1, value: '[]' })).toEqual({ conflict: 2 });
      expect(await access.document(id, 'layout', 'main')).toMatchObject({ revision: 2, updatedAt: 9, value: '{}' });
    });

    test('accept one of several changes at the same time', async () => {
      const id = await account();
      const created = await Promise.all(Array.from({ length: 8 }, () => put(id)));
      expect(created.filter((result) => 'revision' in result)).toEqual([{ revision: 1 }]);
      const changed = await Promise.all(Array.from({ length: 8 }, () => put(id, { base: 1 })));
      expect(changed.filter((result) => 'revision' in result)).toEqual([{ revision: 2 }]);
    });

    test('are listed by kind and name, with or without values, for their account only', async () => {
      const { access } = current();
      const [ada, bob] = [await account(), await account('Bob')];
      await put(ada, { name: 'b' });
      await put(ada, { name: 'B' });
      await put(ada, { kind: 'drawings', name: 'EURUSD' });
      await put(bob, { name: 'other' });
      const names = async (kind: string | null) => (await access.documents(ada, kind, false)).map(({ name }) => name);
      expect([await names(null), await names('layout'), await names('settings')]).toEqual([
        ['EURUSD', 'B', 'b'],
        ['B', 'b'],
        [],
      ]);
      expect((await access.documents(ada, 'drawings', false))[0]).toMatchObject({ value: null, revision: 1 });
      expect((await access.documents(ada, 'drawings', true))[0]!.value).toContain('"a"');
    });

    test('are bounded in number and bytes, and a change over the limit leaves everything as it was', async () => {
      const { access } = current();
      const id = await account();
      await put(id, { name: '1', bytes: 500 });
      await put(id, { name: '2', bytes: 400 });
      expect(await refusalOf(put(id, { name: '3', bytes: 101 }))).toBeInstanceOf(DocumentLimitError);
      expect(await refusalOf(put(id, { name: '2', base: 1, bytes: 501 }))).toBeInstanceOf(DocumentLimitError);
      expect(await access.document(id, 'layout', '2')).toMatchObject({ revision: 1 });
      expect(await put(id, { name: '2', base: 1, bytes: 500 })).toEqual({ revision: 2 });
      await put(id, { name: '2', base: 2, bytes: 1 });
      await put(id, { name: '3', bytes: 1 });
      expect(await refusalOf(put(id, { name: '4', bytes: 1 }))).toMatchObject({ documents: 4, bytes: 503 });
      expect(await access.documents(id, null, false)).toHaveLength(3);
      await put(await account('Bob'));
    });

    test('are deleted one by one, and with their account', async () => {
      const { access } = current();
      const id = await account();
      await put(id);
      expect(await access.deleteDocument(id, 'layout', 'other')).toBeUndefined();
      expect(await access.deleteDocument(id, 'layout', 'main')).toMatchObject({ revision: 1, value: null });
      expect(await access.document(id, 'layout', 'main')).toBeUndefined();
      expect(await put(id)).toEqual({ revision: 1 });
      await access.deleteAccount(id, 9);
      expect(await access.documents(id, null, true)).toEqual([]);
    });
  });
}
