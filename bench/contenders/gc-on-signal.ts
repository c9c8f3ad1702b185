// Preloaded into servers whose memory is measured: SIGUSR2 runs the garbage collector, so that free memory that has not been
// returned to the system does not hide the memory of connections.
process.on('SIGUSR2', () => Bun.gc(true));
