// The Python that runs tests of the Python client.

/** Has the packages of the client; null if there is none. Debian's Python has them, another one in the path may not. */
export const clientPython: string | null =
  ['/usr/bin/python3', 'python3'].find(
    (python) =>
      Bun.which(python) !== null &&
      Bun.spawnSync([python, '-c', 'import cryptography, httpx, websockets']).exitCode === 0,
  ) ?? null;

export const NO_CLIENT_PYTHON =
  'Python lacks packages (apt-get install python3-httpx python3-websockets python3-cryptography)';
