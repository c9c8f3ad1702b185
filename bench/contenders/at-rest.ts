// The runtime with an open port and nothing else; with `code`, also the loaded code of the service, of which nothing is started.
if (process.argv[2] === 'code') await import('../../packages/server/src/cli/serve.ts');
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null) });
console.log(`http://127.0.0.1:${server.port}`);
