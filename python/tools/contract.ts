// Prints what the REST methods and the models of the Python package are generated from, as JSON: the OpenAPI and AsyncAPI documents,
// and how the Python client calls each operation. `generate.py` reads it.
import { asyncApiDocument, ENDPOINTS, type EndpointName, openApiDocument, operationId } from '@tickwire/contract';
import { pythonCall } from '@tickwire/contract/client-calls.ts';
import { callValues, pythonExpression } from '../../packages/server/src/pages/reference/client-samples.ts';

const calls = Object.fromEntries(
  (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => [
    operationId(name),
    { endpoint: name, ...pythonCall(name), example: pythonExpression(name, callValues(name)) },
  ]),
);
console.log(JSON.stringify({ openapi: openApiDocument(), asyncapi: asyncApiDocument(), calls }));
