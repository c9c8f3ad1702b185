import { afterAll, describe, expect, test } from 'bun:test';
import { PageRunner, type Result } from './page-runner.ts';
import { UNEXECUTED } from './unexecuted.ts';

/** Answers each message with itself and a number. */
const echo = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
  websocket: {
    message: (socket, text) => {
      socket.send(JSON.stringify({ event: 'echo', number: 1, ...JSON.parse(String(text)) }));
    },
  },
});
afterAll(() => echo.stop(true));

async function run(page: string): Promise<Result[]> {
  const results: Result[] = [];
  const environment = { PATH: process.env.PATH ?? '', TICKWIRE_API_KEY: 'tw_key' };
  await new PageRunner({ host: `127.0.0.1:${echo.port}`, environment }).run(page, (result) => results.push(result));
  return results;
}
const outcomes = async (page: string): Promise<string[]> => (await run(page)).map(({ outcome }) => outcome);
const block = (language: string, text: string, directive = ''): string =>
  `${directive === '' ? '' : `<!-- ${directive} -->\n`}\`\`\`${language}\n${text}\n\`\`\`\n\n`;

describe('shell blocks', () => {
  test('share variables and functions, and fail with their last command', async () => {
    const page = `${block('sh', 'A=1\nsay() { echo "{\\"a\\":$A}"; }')}${block('sh', 'say')}${block('json', '{"a":2}')}${block('sh', 'false | cat')}`;
    expect(await outcomes(page)).toEqual(['ran', 'ran', 'checked', 'failed']);
  });

  test('may leave programs running until the page ends', async () => {
    const page = `${block('sh', 'sleep 100 >/dev/null 2>&1 &\necho $! ')}`;
    const [{ output } = { output: '' }] = await run(page);
    const isRunning = (): boolean =>
      Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(output).trim()])
        .stdout.toString()
        .trim()
        .replace(/^Z.*/, '') !== '';
    for (let wait = 0; wait < 100 && isRunning(); wait++) await Bun.sleep(20);
    expect([Number(output) > 0, isRunning()]).toEqual([true, false]);
  });
});

describe('Python blocks', () => {
  test('share their variables, and see those of the shell', async () => {
    const page = `${block('sh', 'NAME=Ada')}${block('python', 'a = 1')}${block('python', 'import os, json\nprint(json.dumps({os.environ["NAME"]: a}))')}${block('json', '{"Ada":2}')}`;
    expect(await outcomes(page)).toEqual(['ran', 'ran', 'ran', 'checked']);
  });

  test('are stopped after some lines, fail, or run in the background', async () => {
    const endless = 'import time\nwhile True:\n    print("x")\n    time.sleep(0.01)';
    const page = [
      block('python', 'kept = 1'),
      block('python', endless, 'run: until 3 lines'),
      block('python', 'raise ValueError(kept)'),
      block('python', 'raise ValueError(kept)', 'run: fails'),
      block('python', 'import threading\nthreading.Event().wait()', 'run: background'),
      block('python', 'raise ValueError(kept)', 'run: background'),
      block('python', 'print(kept)'),
    ].join('');
    const results = await run(page);
    expect(results.map(({ outcome }) => outcome)).toEqual(['ran', 'ran', 'failed', 'ran', 'ran', 'failed', 'ran']);
    expect(results[2]!.reason).toContain('ValueError: 1');
    expect(results.at(-1)!.output).toBe('1\n');
  });
});

describe('messages', () => {
  test('are sent over a WebSocket with the key, and what arrives is the output', async () => {
    const page = `${block('json', '{"action":"subscribe"}', 'run: socket /ws')}${block('json', '{"event":"echo","api_key":"x"}')}`;
    expect(await outcomes(page)).toEqual(['ran', 'checked']);
  });
});

describe('examples of output', () => {
  test('are those of the block before, unless a heading is between', async () => {
    const ran = block('sh', `echo '{"a":1}'`);
    expect(await outcomes(`${ran}${block('json', '{"b":1}')}`)).toEqual(['ran', 'failed']);
    expect(await outcomes(`${ran}## Next\n\n${block('json', '{"a":1}')}`)).toEqual(['ran', 'failed']);
  });

  test('of a page that something else checks are not run', async () => {
    const page = `# A\n\n<!-- page not run: a picture -->\n\n${block('sh', 'false')}`;
    expect(await run(page)).toEqual([{ line: 1, outcome: 'not run', reason: UNEXECUTED['a picture']!.reason }]);
  });

  test('without a language, in languages that cannot be run, without output before them, and without a reason are errors', async () => {
    expect(
      await outcomes(
        `${block('', 'x')}${block('rust', 'fn main() {}')}${block('text', 'x')}${block('json', '{}')}${block('sh', 'ls', 'not run: no time')}`,
      ),
    ).toEqual(['failed', 'failed', 'failed', 'failed', 'failed']);
  });
});
