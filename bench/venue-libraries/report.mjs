// What a client says to the driver: a line each time something was declared, and the sum of all when it is asked to.
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
    const answer = { count: ids.length, last: newest, declared: declared.length };
    if (command === 'sum')
      Object.assign(answer, { ids, declared, cpuS: (user + system) / 1e6, peakMb: peak / 2 ** 20 });
    process.stdout.write(`@${JSON.stringify(answer)}\n`);
  }
});
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
