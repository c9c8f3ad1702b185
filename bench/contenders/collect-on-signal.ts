// Preloaded into the servers whose memory is measured: SIGUSR2 collects garbage, so that memory which is free but not yet given
// back does not hide what connections take.
process.on('SIGUSR2', () => Bun.gc(true));
