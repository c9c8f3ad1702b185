// A preload for Bun: on SIGUSR2, prints the paths of all loaded modules to standard error, as one line of JSON.
process.on('SIGUSR2', () => process.stderr.write(`${JSON.stringify(Object.keys(require.cache))}\n`));
