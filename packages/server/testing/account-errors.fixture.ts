// Provokes each account error as a user would, for the test of the whole error catalogue.
import type { Account } from '@tickwire/contract';
import { PASSWORD, Person } from './person.fixture.ts';
import type { RunningService } from './service.fixture.ts';
import { enableTwoFactor } from './two-factor.fixture.ts';

export type AccountErrorCode =
  | 'session_required'
  | 'invalid_session'
  | 'wrong_credentials'
  | 'wrong_password'
  | 'confirmation_required'
  | 'two_factor_required'
  | 'wrong_code'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'account_disabled'
  | 'foreign_origin'
  | 'registration_closed'
  | 'invalid_token'
  | 'account_not_found'
  | 'key_not_found'
  | 'link_not_found'
  | 'session_not_found'
  | 'invitation_not_found'
  | 'name_taken'
  | 'owner_account'
  | 'markets_fixed'
  | 'document_not_found'
  | 'document_conflict'
  | 'too_many_documents'
  | 'key_revoked'
  | 'too_many_keys'
  | 'key_creations_exhausted'
  | 'too_many_attempts';

type Provoke = () => Promise<{ readonly response: Response }>;

/** Needs a service with registration by invitation that trusts the proxy it is called through. */
export function accountErrors(service: () => RunningService): Readonly<Record<AccountErrorCode, Provoke>> {
  let made: Promise<Person> | null = null;
  const owner = (): Promise<Person> => {
    made ??= Person.owner(service());
    return made;
  };
  const stranger = (): Person => new Person(service());
  const provoke =
    (work: () => Promise<Response>): Provoke =>
    async () => ({ response: await work() });
  const byOwner = (path: string, body: object = {}, headers: Record<string, string> = {}): Provoke =>
    provoke(async () => (await owner()).post(path, body, headers));
  const signUp = async (name: string, person = stranger(), tier = 'free'): Promise<Response> => {
    const host = await owner();
    const { token } = await host.must<{ token: string }>(201, host.post('/api/admin/invitations', { tier }));
    return person.post('/api/account/sign-up', { name, password: PASSWORD, invitation: token });
  };

  return {
    session_required: provoke(() => stranger().get('/api/account/sessions')),
    invalid_session: provoke(() => {
      const person = stranger();
      person.cookie = 'tickwire=none-such';
      return person.get('/api/account');
    }),
    wrong_credentials: provoke(() => stranger().signIn('Nobody')),
    confirmation_required: byOwner('/api/keys', { name: 'bot', scopes: ['publish'] }),
    wrong_password: byOwner('/api/account/delete', { password: 'not the password' }),
    two_factor_required: provoke(async () => {
      const person = stranger();
      await person.must(201, signUp('Careful', person));
      await enableTwoFactor(person);
      return person.signIn('Careful');
    }),
    wrong_code: provoke(async () => {
      const person = stranger();
      await person.must(201, signUp('Mistyped', person));
      await enableTwoFactor(person);
      return person.post('/api/account/sign-in', { name: 'Mistyped', password: PASSWORD, code: '000000' });
    }),
    two_factor_enabled: provoke(async () => {
      const person = stranger();
      await person.must(201, signUp('Twice', person));
      await enableTwoFactor(person);
      return person.post('/api/account/two-factor/set-up', { password: PASSWORD });
    }),
    two_factor_disabled: byOwner('/api/account/two-factor/disable', { password: PASSWORD, code: '000000' }),
    account_disabled: provoke(async () => {
      const person = stranger();
      const { id } = await person.must<Account>(201, signUp('Disabled', person));
      const host = await owner();
      await host.must(200, host.post(`/api/admin/accounts/${id}/disable`));
      return person.signIn('Disabled');
    }),
    foreign_origin: byOwner('/api/account/sign-out', {}, { Origin: 'https://evil.example' }),
    registration_closed: provoke(() => stranger().post('/api/account/sign-up', { name: 'Eve', password: PASSWORD })),
    invalid_token: provoke(() =>
      stranger().post('/api/account/sign-up', { name: 'Eve', password: PASSWORD, invitation: 'none-such' }),
    ),
    account_not_found: byOwner('/api/admin/accounts/pub_none/disable'),
    key_not_found: byOwner('/api/keys/none/revoke'),
    link_not_found: byOwner('/api/links/none/revoke'),
    session_not_found: byOwner('/api/account/sessions/ses_none/revoke'),
    invitation_not_found: byOwner('/api/admin/invitations/inv_none/revoke'),
    name_taken: provoke(async () => {
      await owner();
      return signUp('the owner');
    }),
    owner_account: byOwner('/api/account/delete', { password: PASSWORD }),
    markets_fixed: provoke(async () => (await owner()).put('/api/admin/markets', { markets: 'live' })),
    document_not_found: provoke(async () => (await owner()).get('/api/account/documents/layout/none')),
    document_conflict: provoke(async () =>
      (await owner()).put('/api/account/documents/layout/none', { value: {}, revision: 3 }),
    ),
    too_many_documents: provoke(async () => {
      const host = await owner();
      const value = { text: 'x'.repeat(65_000) };
      for (let n = 0; ; n++) {
        const response = await host.put(`/api/account/documents/drawings/${n}`, { value });
        if (response.status !== 200) return response;
      }
    }),
    key_revoked: provoke(async () => {
      const host = await owner();
      const { id } = await host.must<{ id: string }>(201, host.post('/api/keys', { name: 'ending' }));
      await host.must(200, host.post(`/api/keys/${id}/revoke`));
      return host.post(`/api/keys/${id}/rotate`, { overlap_hours: 1 });
    }),
    too_many_keys: provoke(async () => {
      const host = await owner();
      for (;;) {
        const response = await host.post('/api/keys', { name: 'one of many' });
        if (response.status !== 201) return response;
      }
    }),
    key_creations_exhausted: provoke(async () => {
      const person = stranger();
      await person.must(201, signUp('Key Collector', person, 'premium'));
      for (;;) {
        const response = await person.post('/api/keys', { name: 'short' });
        if (response.status !== 201) return response;
        const { id } = (await response.json()) as { id: string };
        await person.must(200, person.post(`/api/keys/${id}/revoke`));
      }
    }),
    too_many_attempts: provoke(async () => {
      const person = stranger();
      for (;;) {
        const response = await person.signIn('Somebody');
        if (response.status !== 401) return response;
      }
    }),
  };
}
