// Preloaded into a process: its system clock jumps by TICKWIRE_TEST_CLOCK_JUMP_MS when it gets SIGUSR2.
const systemNow = Date.now;
let ahead = 0;
Date.now = () => systemNow() + ahead;
process.on('SIGUSR2', () => {
  ahead += Number(process.env.TICKWIRE_TEST_CLOCK_JUMP_MS);
});
