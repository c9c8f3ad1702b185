// The audit log over REST: what is recorded, with which address, and how the operator reads it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account, AuditItem, AuditList, IssuedKey, KeyInfo } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
});
afterAll(() => service.stop());

const read = (query: string): Promise<AuditList> => owner.read<AuditList>(`/api/admin/audit?${query}`);
/** Oldest first. */
const entriesOf = async (name: string): Promise<AuditItem[]> =>
  (await read(`account=${encodeURIComponent(name)}`)).items.toReversed();

describe('the audit log', () => {
  test('records sign-ins, sign-outs and session events with the address of the client', async () => {
    const ada = await Person.signedUp(service, 'Ada');
    const { id } = await ada.read<Account>('/api/account');
    const phone = new Person(service);
    await phone.signIn('ada', 'not the password');
    const { session } = await phone.must<Account>(200, phone.signIn('ada'));
    await ada.must(200, ada.post(`/api/account/sessions/${session}/revoke`));
    const tablet = new Person(service);
    const { session: other } = await tablet.must<Account>(200, tablet.signIn('ada'));
    await tablet.must(200, tablet.post('/api/account/sign-out'));
    await ada.must(200, ada.post('/api/account/sign-out-everywhere'));
    const about = { account: id, actor: id };
    expect(await entriesOf('Ada')).toMatchObject([
      { ...about, action: 'signed up', address: ada.address },
      { account: id, actor: 'anonymous', action: 'sign-in failed', subject: 'Ada', address: phone.address },
      { ...about, action: 'signed in', subject: session!, address: phone.address },
      { ...about, action: 'session revoked', subject: session!, address: ada.address },
      { ...about, action: 'signed in', subject: other!, address: tablet.address },
      { ...about, action: 'signed out', subject: other!, address: tablet.address },
      { ...about, action: 'signed out everywhere', address: ada.address },
    ]);
  });

  test('records keys and password changes with the address of the client', async () => {
    const bob = await Person.signedUp(service, 'Bob');
    const { id: key } = await bob.must<KeyInfo>(201, bob.post('/api/keys', { name: 'bot' }));
    await bob.must(201, bob.post(`/api/keys/${key}/rotate`, { overlap_hours: 0 }));
    await bob.must(200, bob.post(`/api/keys/${key}/revoke`));
    await bob.must(
      200,
      bob.post('/api/account/password', { password: PASSWORD, new_password: 'another good one', revoke_keys: false }),
    );
    const entries = await entriesOf('bob');
    expect(entries.map(({ action }) => action)).toEqual([
      'signed up',
      'key created',
      'key created',
      'key rotated',
      'key revoked',
      'password changed',
    ]);
    expect(new Set(entries.map(({ address }) => address))).toEqual(new Set([bob.address]));
  });

  test('does not record an unknown name, which may be a password in the wrong field', async () => {
    const stranger = new Person(service);
    await stranger.signIn('hunter2 hunter2');
    const { items } = await read('action=sign-in%20failed&limit=1');
    expect(items).toMatchObject([{ account: null, subject: 'unknown name', address: stranger.address }]);
    expect(JSON.stringify((await read('limit=1000')).items)).not.toContain('hunter2');
  });

  test('records what the operator does under the account it is about', async () => {
    const cy = await Person.signedUp(service, 'Cy');
    const { id } = await cy.read<Account>('/api/account');
    const { id: by } = await owner.read<Account>('/api/account');
    await owner.must(200, owner.post(`/api/admin/accounts/${id}/disable`));
    await cy.signIn('Cy');
    expect((await entriesOf(id)).slice(1)).toMatchObject([
      { action: 'account disabled', actor: by, account: id, address: owner.address },
      { action: 'sign-in failed', actor: 'anonymous', account: id },
    ]);
  });

  test('names the accounts with detail=true, also the one of a key that acted', async () => {
    const eve = await Person.signedUp(service, 'Eve');
    const { id } = await eve.read<Account>('/api/account');
    await owner.confirm();
    const issued = await owner.must<IssuedKey>(201, owner.post('/api/keys', { name: 'ops', scopes: ['admin'] }));
    const headers = { 'X-API-Key': issued.key! };
    const disabled = await fetch(`${service.url}/api/admin/accounts/${id}/disable`, { method: 'POST', headers });
    expect(disabled.status).toBe(200);
    const { name } = await owner.read<Account>('/api/account');
    const [plain] = (await read(`account=${id}&limit=1`)).items;
    expect(plain).toMatchObject({ action: 'account disabled', actor: issued.id, account: id });
    expect(plain).not.toHaveProperty('actor_name');
    const [detailed, signedUp] = (await read(`account=${id}&detail=true`)).items;
    expect(detailed).toEqual({ ...plain!, actor_name: name, account_name: 'Eve' });
    expect(signedUp).toMatchObject({ actor: id, actor_name: 'Eve' });
    const [stranger] = (await read('action=sign-in%20failed&limit=1&detail=true')).items;
    expect(stranger).toMatchObject({ actor: 'anonymous', actor_name: null });
  });

  test('is read page by page and by time', async () => {
    const all = (await read('limit=1000')).items;
    const pages: AuditItem[] = [];
    for (let before: number | null = 1_000_000; before !== null; ) {
      const page: AuditList = await read(`limit=4&before=${before}`);
      expect(page.count).toBe(page.items.length);
      pages.push(...page.items);
      before = page.next_before;
    }
    expect(pages).toEqual(all);
    const { timestamp } = all[3]!;
    const split = await Promise.all([read(`from=${timestamp}&limit=1000`), read(`to=${timestamp}&limit=1000`)]);
    expect(split.map(({ count }) => count).reduce((a, b) => a + b)).toBe(all.length);
    expect(await read('account=Nobody')).toMatchObject({ items: [], count: 0, next_before: null });
  });

  test('needs the scope admin, and rejects unknown values', async () => {
    const dan = await Person.signedUp(service, 'Dan');
    expect(await refusal(dan.get('/api/admin/audit'))).toEqual([403, 'missing_scope']);
    for (const query of ['action=danced', 'from=yesterday', 'before=0', 'before=x', 'limit=1001', 'account='])
      expect([query, await refusal(owner.get(`/api/admin/audit?${query}`))]).toEqual([
        query,
        [400, 'invalid_parameter'],
      ]);
  });
});
