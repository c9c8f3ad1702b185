// Documents of an account over REST: revisions, limits, names, and who may read them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AccountDocument, DOCUMENT_LIMITS, DocumentInfo, DocumentList } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';

useCheapPasswords();
const ALL = '/api/account/documents';
const MAIN = `${ALL}/layout/main`;

let service: RunningService;
let ada: Person;
beforeAll(async () => {
  const data = folderOfBusyAccounts(6_000);
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1', data });
  await Person.owner(service);
  ada = await Person.signedUp(service, 'Ada');
});
afterAll(() => service.stop());

const saved = async (person: Person, path: string, body: object): Promise<DocumentInfo> =>
  DocumentInfo.parse(await person.must(200, person.put(path, body)));
const listed = async (person: Person, query = ''): Promise<DocumentList['items']> =>
  DocumentList.parse(await person.read(ALL + query)).items;

describe('a document', () => {
  test('is created, read, changed and deleted', async () => {
    const value = { charts: [{ symbol: 'EURUSD', width: 0.5 }], note: 'Größe \u0000 ✓', '': null };
    expect(await refusal(ada.get(MAIN))).toEqual([404, 'document_not_found']);
    const created = await saved(ada, MAIN, { value });
    expect(created).toEqual({ kind: 'layout', name: 'main', revision: 1, updated: expect.any(String) });
    expect(AccountDocument.parse(await ada.read(MAIN))).toEqual({ ...created, value });
    const changed = await saved(ada, MAIN, { value: {}, revision: 1 });
    expect(changed.revision).toBe(2);
    expect(await ada.must(200, ada.delete(MAIN))).toEqual(changed as never);
    expect(await refusal(ada.get(MAIN))).toEqual([404, 'document_not_found']);
    expect(await refusal(ada.delete(MAIN))).toEqual([404, 'document_not_found']);
    expect((await saved(ada, MAIN, { value, revision: 0 })).revision).toBe(1);
  });

  test('is not changed by a change that is based on another revision', async () => {
    const path = `${ALL}/settings/chart`;
    expect(await refusal(ada.put(path, { value: {}, revision: 1 }))).toEqual([409, 'document_conflict']);
    await saved(ada, path, { value: { grid: true } });
    for (const revision of [undefined, 0, 2, 3])
      expect(await refusal(ada.put(path, { value: { grid: false }, revision }))).toEqual([409, 'document_conflict']);
    expect(await ada.read(path)).toMatchObject({ revision: 1, value: { grid: true } });
    const both = await Promise.all([1, 2].map((n) => ada.put(path, { value: { n }, revision: 1 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('belongs to its account, needs a session, and is changed from pages of the service only', async () => {
    const bob = await Person.signedUp(service, 'Bob');
    const path = `${ALL}/layout/private`;
    await saved(ada, path, { value: { mine: true } });
    expect(await refusal(bob.get(path))).toEqual([404, 'document_not_found']);
    expect(await listed(bob)).toEqual([]);
    expect((await saved(bob, path, { value: {} })).revision).toBe(1);
    const key = { 'X-API-Key': await bob.key() };
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await refusal(fetch(service.url + path, { method, headers: key }))).toEqual([401, 'session_required']);
    const foreign = { Origin: 'https://evil.example' };
    expect(await refusal(bob.put(path, { value: {}, revision: 1 }, foreign))).toEqual([403, 'foreign_origin']);
    expect(await refusal(bob.delete(path, foreign))).toEqual([403, 'foreign_origin']);
    const { Origin: _, ...noOrigin } = bob.headers();
    const silent = fetch(service.url + path, { method: 'DELETE', headers: noOrigin });
    expect(await refusal(silent)).toEqual([403, 'foreign_origin']);
    expect(await ada.read(path)).toMatchObject({ value: { mine: true } });
  });

  test('is deleted with its account', async () => {
    const goner = await Person.signedUp(service, 'Goner');
    await saved(goner, MAIN, { value: { secret: 'a plan' } });
    await goner.must(200, goner.post('/api/account/delete', { password: PASSWORD }));
    const { access } = service.app.store;
    const { id } = (await access.accounts()).find(({ deletedAt }) => deletedAt !== null)!;
    expect(await access.documents(id, null, true)).toEqual([]);
  });
});

test('a list has the values of one kind, or no values unless they are requested', async () => {
  const eve = await Person.signedUp(service, 'Eve');
  await saved(eve, `${ALL}/watchlist/Metals`, { value: { symbols: ['XAUUSD'] } });
  await saved(eve, `${ALL}/drawings/EURUSD`, { value: { lines: [] } });
  expect((await listed(eve)).map(({ kind, name, value }) => [kind, name, value])).toEqual([
    ['drawings', 'EURUSD', undefined],
    ['watchlist', 'Metals', undefined],
  ]);
  expect((await listed(eve, '?values=true')).map(({ value }) => value)).toEqual([
    { lines: [] },
    { symbols: ['XAUUSD'] },
  ]);
  expect((await listed(eve, '?kind=watchlist'))[0]!.value).toEqual({ symbols: ['XAUUSD'] });
  expect((await listed(eve, '?kind=watchlist&values=false'))[0]).not.toHaveProperty('value');
  expect(await listed(eve, '?kind=layout')).toEqual([]);
  for (const query of ['kind=notes', 'values=1', 'kind='])
    expect(await refusal(eve.get(`${ALL}?${query}`))).toEqual([400, 'invalid_parameter']);
});

test.each(['Größe 2', 'a.b-c_d', 'x'.repeat(64), '日本', '1', ' padded '])('the name %p is allowed', async (name) => {
  const path = `${ALL}/layout/${encodeURIComponent(name)}`;
  expect(await saved(ada, path, { value: {} })).toMatchObject({ name });
  expect(await ada.read(path)).toMatchObject({ name, value: {} });
  await ada.must(200, ada.delete(path));
});

test.each(['x'.repeat(65), '...', ' ', 'a/b', 'a\u0000b', 'a\nb', '<b>', '🐎'])(
  'the name %p is rejected',
  async (name) => {
    const path = `${ALL}/layout/${encodeURIComponent(name)}`;
    expect(await refusal(ada.put(path, { value: {} }))).toEqual([400, 'invalid_parameter']);
  },
);

test('one name in two forms of Unicode is one document', async () => {
  await saved(ada, `${ALL}/layout/${encodeURIComponent('Café'.normalize('NFD'))}`, { value: {} });
  expect(await ada.read(`${ALL}/layout/${encodeURIComponent('Café'.normalize('NFC'))}`)).toMatchObject({ revision: 1 });
});

describe('rejects', () => {
  const put = (body: string) => ada.send('PUT', `${ALL}/layout/wrong`, body);

  test.each([
    ['no value', '{}'],
    ['a text', '{"value":"text"}'],
    ['a list', '{"value":[]}'],
    ['null', '{"value":null}'],
    ['a negative revision', '{"value":{},"revision":-1}'],
    ['a fraction as revision', '{"value":{},"revision":1.5}'],
    ['two values', '{"value":{},"value":{}}'],
  ])('%s', async (_, body) => {
    expect(await refusal(put(body))).toEqual([400, 'invalid_parameter']);
  });

  test('an unknown kind', async () => {
    expect(await refusal(ada.put(`${ALL}/notes/main`, { value: {} }))).toEqual([400, 'invalid_parameter']);
  });

  test('a body that is not JSON', async () => {
    expect(await refusal(put('{'))).toEqual([400, 'malformed_body']);
  });

  test('more than 64 levels', async () => {
    const nested = (levels: number) => `{"value":{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}}`;
    expect(await refusal(put(nested(30_000)))).toEqual([400, 'invalid_parameter']);
    expect(await refusal(put(nested(65)))).toEqual([400, 'invalid_parameter']);
    expect((await put(nested(64))).status).toBe(200);
    await ada.delete(`${ALL}/layout/wrong`);
  });

  test('a value of more than 64 KiB, but not one of exactly 64 KiB', async () => {
    const text = (bytes: number) => ({ value: { t: 'x'.repeat(bytes - '{"t":""}'.length) } });
    expect(await refusal(put(JSON.stringify(text(DOCUMENT_LIMITS.valueBytes + 1))))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect(await refusal(put(JSON.stringify(text(200_000))))).toEqual([413, 'payload_too_large']);
    const spaced = JSON.stringify(text(DOCUMENT_LIMITS.valueBytes), null, 1_000);
    expect((await put(spaced)).status).toBe(200);
    await ada.delete(`${ALL}/layout/wrong`);
  });
});

test('more than 500 documents or 4 MiB are rejected, and deleting makes room', async () => {
  const many = await Person.signedUp(service, 'Collector');
  const value = { t: 'x'.repeat(65_000) };
  const full = Math.floor(DOCUMENT_LIMITS.bytes / JSON.stringify(value).length);
  for (let n = 0; n < full; n++) await saved(many, `${ALL}/drawings/${n}`, { value });
  const over = await many.put(`${ALL}/drawings/over`, { value });
  expect(over.status).toBe(409);
  expect(await over.json()).toMatchObject({ code: 'too_many_documents', detail: expect.stringContaining('4 MiB') });
  for (let n = 0; n < full; n++) await saved(many, `${ALL}/drawings/${n}`, { value: {}, revision: 1 });
  const { access } = service.app.store;
  const accountId = (await access.accounts()).find(({ name }) => name === 'Collector')!.id;
  const limits = { documents: DOCUMENT_LIMITS.documents, bytes: DOCUMENT_LIMITS.bytes };
  for (let n = full; n < DOCUMENT_LIMITS.documents; n++)
    await access.putDocument({
      accountId,
      kind: 'layout',
      name: `${n}`,
      base: 0,
      value: '{}',
      bytes: 2,
      at: 1,
      limits,
    });
  const last = await many.put(`${ALL}/layout/over`, { value: {} });
  expect(await last.json()).toMatchObject({ code: 'too_many_documents', detail: expect.stringContaining('500') });
  await many.must(200, many.delete(`${ALL}/drawings/0`));
  expect((await saved(many, `${ALL}/layout/over`, { value: {} })).revision).toBe(1);
});
