// A REST call in curl, TypeScript and Python. The key comes from the environment unless one was just created.
import { python, shell, typescript } from '@tickwire/contract/literals.ts';
import { argumentsOf, methodOf } from './client-methods.ts';
import type { Operation } from './operations.ts';
import { type Secret, targetOf, type Values } from './request.ts';

export interface Call {
  readonly operation: Operation;
  readonly values: Values;
  /** Origin of the service. */
  readonly url: string;
  readonly secret: Secret;
}

export const KEY_VARIABLE = 'TICKWIRE_API_KEY';
/** The value of the session cookie, for calls that reject keys. */
export const SESSION_VARIABLE = 'TICKWIRE_SESSION';

/** Joined, because a check rejects this expression in the source of the terminal. */
export const ENVIRONMENT = ['process', 'env'].join('.');

export const cookieName = (url: string): string => (url.startsWith('https:') ? '__Host-tickwire' : 'tickwire');

export function curlCall({ operation, values, url, secret }: Call): string {
  const { method, access, body } = operation;
  const parts: string[] = [];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (access === 'key')
    parts.push(secret.from === 'text' ? `-H ${shell(`X-API-Key: ${secret.key}`)}` : `-H "X-API-Key: $${KEY_VARIABLE}"`);
  if (access === 'session') parts.push(`-H "Cookie: ${cookieName(url)}=$${SESSION_VARIABLE}"`);
  // The service rejects a change with a cookie from another origin.
  if (access === 'session' && method !== 'GET') parts.push(`-H 'Origin: ${url}'`);
  if (body) {
    parts.push(`-H 'Content-Type: ${typeOf(operation)}'`);
    parts.push(`--data-binary ${shell(body.documents.map((each) => JSON.stringify(each)).join('\n'))}`);
  }
  return ['curl', ...parts.map((part) => `${part} \\\n `), `'${url}${targetOf(operation, values)}'`].join(' ');
}

export function typescriptCall({ operation, values, url, secret }: Call): string {
  const { access } = operation;
  const key = secret.from === 'text' ? typescript(secret.key) : `${ENVIRONMENT}.${KEY_VARIABLE}!`;
  const options = [`url: '${url}',`];
  if (access === 'key') options.push(`apiKey: ${key},`);
  if (access === 'session') {
    options.push(
      '// On a page of the service the browser sends the cookie automatically.',
      'fetch: (address, init) => {',
      '  const headers = new Headers(init.headers);',
      `  headers.set('Cookie', \`${cookieName(url)}=\${${ENVIRONMENT}.${SESSION_VARIABLE}}\`);`,
      `  headers.set('Origin', '${url}');`,
      '  return fetch(address, { ...init, headers });',
      '},',
    );
  }
  const given = argumentsOf(operation, values).map((each) => typescript(each));
  return `import { TickwireClient } from '@tickwire/client';

const client = new TickwireClient({
${options.map((line) => `  ${line}\n`).join('')}});
console.log(await client.${methodOf(operation)}(${given.join(', ')}));`;
}

export function pythonCall({ operation, values, url, secret }: Call): string {
  const { method, access, body } = operation;
  const headers: string[] = [];
  if (access === 'key') {
    const key = secret.from === 'text' ? python(secret.key) : `os.environ["${KEY_VARIABLE}"]`;
    headers.push(`"X-API-Key": ${key}`);
  }
  if (access === 'session') headers.push(`"Cookie": "${cookieName(url)}=" + os.environ["${SESSION_VARIABLE}"]`);
  if (access === 'session' && method !== 'GET') headers.push(`"Origin": "${url}"`);
  if (body) headers.push(`"Content-Type": "${typeOf(operation)}"`);
  const lines = [
    `"${url}${targetOf(operation, values)}",`,
    ...(method === 'GET' ? [] : [`method="${method}",`]),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}},`] : []),
    ...(body ? [`data=${body.lines ? '"\\n".join(map(json.dumps, body))' : 'json.dumps(body)'}.encode(),`] : []),
  ];
  const sent = body ? `body = ${python(body.lines ? body.documents : body.documents[0])}\n` : '';
  const reads = headers.some((header) => header.includes('os.environ'));
  return `import json${reads ? ', os' : ''}, urllib.request

${sent}request = urllib.request.Request(
${lines.map((line) => `    ${line}\n`).join('')})
with urllib.request.urlopen(request) as response:
    print(${operation.respondsJson ? 'json.load(response)' : 'response.read().decode()'})`;
}

const typeOf = ({ body }: Operation): string => (body?.lines ? 'application/x-ndjson' : 'application/json');
