// Reports of a client to the driver: a line per declared problem, and the totals on request.
export const settings = JSON.parse(process.argv[2]);

const ids = [];
const declared = [];
let newest = null;
let peak = 0;

setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);

export const report = {
  trade: (id) => {
    ids.push(id);
    newest = Math.max(newest ?? id, id);
  },
  declare: (what) => declared.push(what),
};

process.stdin.on('data', (text) => {
  for (const command of String(text).trim().split('\n')) {
    const { user, system } = process.cpuUsage();
    const response = { count: ids.length, last: newest, declared: declared.length };
    if (command === 'sum')
      Object.assign(response, { ids, declared, cpuS: (user + system) / 1e6, peakMb: peak / 2 ** 20 });
    process.stdout.write(`@${JSON.stringify(response)}\n`);
  }
});
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
