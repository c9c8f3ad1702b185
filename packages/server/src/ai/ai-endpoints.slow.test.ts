import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Usage } from '@tickwire/contract';
import { preparedFolder } from '../../testing/prepared-folder.fixture.ts';
import { killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { makeKey } from '../../testing/service.fixture.ts';

afterAll(killLeftovers);

const callerAt = (url: string, key: string) => {
  const headers = { 'X-API-Key': key };
  return {
    sentiment: (text: string) =>
      fetch(`${url}/api/ai/sentiment`, { method: 'POST', body: JSON.stringify({ text }), headers }),
    used: async () => ((await (await fetch(`${url}/api/usage`, { headers })).json()) as Usage).ai_calls.used,
  };
};

test('AI calls are counted exactly across a SIGKILL: every response and nothing else', async () => {
  const { data } = await preparedFolder();
  const { key } = await makeKey(data, 'pro', ['read']);
  let answered = 0;
  for (let round = 0; round < 2; round++) {
    const running = await ServiceProcess.start({ data, news: 'none' });
    const user = callerAt(running.url, key);
    expect(await user.used()).toBe(answered);
    for (let count = 0; count < 3; count++) if ((await user.sentiment('Gold jumps to a record high')).ok) answered++;
    await user.sentiment('');
    await running.kill();
  }
  const last = await ServiceProcess.start({ data, news: 'none' });
  expect(answered).toBe(6);
  expect(await callerAt(last.url, key).used()).toBe(6);
  await last.stop();
  rmSync(data, { recursive: true, force: true });
});
