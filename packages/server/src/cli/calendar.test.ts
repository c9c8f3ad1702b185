import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../testing/command.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium', ['read', 'ingest'])).key;
});
afterAll(() => service.stop());

const run = (...args: string[]) => runHere(['calendar', ...args], { url: service.url, api_key: key });
const file = (name: string, text: string): string => {
  const path = join(service.folder, name);
  writeFileSync(path, text);
  return path;
};

test('imports a CSV file and lists its events', async () => {
  const path = file(
    'a.csv',
    'time,title,country,impact,forecast\n2030-03-06T13:30:00Z,Jobs,US,high,160K\n2030-03-07,Holiday,JP,low,\n',
  );
  expect(await run('import', path)).toMatchObject({ status: 0, out: 'Sent 2 events.\n', err: '' });
  const { status, out } = await run('list', '--from', '2030-03-01', '--to', '2030-03-31');
  expect(status).toBe(0);
  expect(out.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    'time (UTC) country currency impact status actual forecast previous unit event',
    '2030-03-06 13:30 US USD high scheduled 160K Jobs',
    '2030-03-07 JP JPY low scheduled Holiday',
    '',
  ]);
  expect((await run('list', '--from', '2030-03-01', '--to', '2030-03-31', '--impact', 'medium')).out).toBe(
    'No events.\n',
  );
});

test('imports an iCalendar file again as a revision', async () => {
  const ics = (time: string): string =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:x\r\nSUMMARY:Rates\r\nDTSTART;TZID=Europe/Berlin:${time}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  for (const time of ['20300410T141500', '20300411T141500'])
    expect(await run('import', file('b.ics', ics(time)), '--country', 'EU', '--impact', 'high')).toMatchObject({
      status: 0,
    });
  const { out } = await run('list', '--from', '2030-04-01', '--to', '2030-04-30');
  expect(out).toContain('2030-04-11 12:15  EU');
  expect(out).toContain('moved');
  expect(out).not.toContain('2030-04-10');
});

test('reports what could not be imported, and fails', async () => {
  const path = file('c.csv', 'time,title,country\n2030-05-06,A,US\nsoon,B,US\n2030-05-06,C,\n2300-05-06,D,US\n');
  const { status, out, err } = await run('import', path);
  expect([status, out]).toEqual([1, 'Sent 1 events; 3 problems.\n']);
  expect(err.split('\n').slice(0, 3)).toEqual([
    'line 3: "soon" is not a time such as 2026-03-06T13:30:00Z, or a date such as 2026-03-06',
    '"C": no country or currency; set --country',
    '"D": the time must be at most 3653 days ahead, and not before 1970',
  ]);
});

test.each([
  [['import', '/nowhere.csv'], 2],
  [['list', '--impact', 'huge'], 1],
  [['import'], 2],
  [[], 2],
])('%p fails', async (args, status) => {
  expect(await run(...args)).toMatchObject({ status, out: '' });
});
