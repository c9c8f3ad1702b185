import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { AccessError } from '../access/issue-key.ts';
import { openAccessStore } from '../store/sqlite/open.ts';
import { type Ran, runTickwire } from '../testing/process.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { accounts as accountsHere } from './accounts.ts';
import { UsageError } from './arguments.ts';

// Processes start slowly on a busy machine.
setDefaultTimeout(30_000);

const data = temporaryFolder();
const accounts = (...args: string[]): Promise<Ran> => runTickwire(['accounts', ...args], { data });
const named = async (name: string) => {
  const { access, close } = openAccessStore(data);
  const found = (await access.accounts()).find((account) => account.name === name);
  close();
  return found;
};

afterAll(() => rmSync(data, { recursive: true, force: true }));

test('accounts are listed, get another tier, and another name that nobody had', async () => {
  for (const name of ['Ada', 'Bob']) await runTickwire(['keys', 'create', '--name', name], { data });
  const { out } = await accounts('list');
  expect(out).toMatch(/^NUMBER {2}NAME {2}TIER\n1 {7}Ada {3}free\n2 {7}Bob {3}free\n$/);
  const json = (await accounts('list', '--json')).out.trim().split('\n');
  expect(JSON.parse(json[0]!)).toMatchObject({ id: 1, name: 'Ada', tier: 'free' });

  expect(await accounts('set-tier', 'ada', 'pro')).toEqual({ status: 0, out: 'Ada is now pro.\n', err: '' });
  expect(await accounts('rename', '1', 'Grace')).toEqual({ status: 0, out: 'Ada is now called Grace.\n', err: '' });
  expect(await named('Grace')).toMatchObject({ id: 1, tier: 'pro' });

  const taken = await accounts('rename', 'Bob', 'ADA');
  expect(taken).toEqual({ status: 1, out: '', err: 'tickwire: the name "ADA" is taken, or once was\n' });
  expect(await named('Bob')).toMatchObject({ id: 2 });

  const { access, close } = openAccessStore(data);
  const acts = (await access.auditLog(10)).map(({ act, subject }) => `${act}: ${subject}`);
  close();
  expect(acts.slice(0, 2)).toEqual(['account renamed: Ada to Grace', 'tier set: Ada to pro']);
});

test('called wrongly, one line says what is wrong', async () => {
  const cases: [string[], number, string][] = [
    [['set-tier', 'Grace', 'gold'], 2, 'there is no tier gold: there are free, pro, premium'],
    [['set-tier', 'Nobody', 'pro'], 1, 'no account is called Nobody'],
    [['rename', 'Grace', '<b>'], 1, 'must be 1 to 48 letters'],
    [['rename', 'Grace'], 2, 'usage: tickwire accounts'],
    [['list', 'surplus'], 2, 'usage: tickwire accounts'],
    [[], 2, 'usage: tickwire accounts'],
    [['burn', 'Grace', 'pro'], 2, 'usage: tickwire accounts'],
  ];
  for (const [args, status, says] of cases) {
    const refusal = await accountsHere([...args, '--data', data]).catch((error: Error) => error);
    expect({ args, refusal }).toEqual({ args, refusal: expect.any(status === 2 ? UsageError : AccessError) });
    expect((refusal as Error).message).toContain(says);
  }
});
