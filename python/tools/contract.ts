// Prints what the REST methods and the models of the Python package are generated from, as JSON: the OpenAPI and AsyncAPI documents,
// how the Python client calls each operation, and lists of words that have a type of their own. `generate.py` reads it.
import * as contract from '@tickwire/contract';
import { asyncApiDocument, ENDPOINTS, type EndpointName, openApiDocument, operationId } from '@tickwire/contract';
import { pythonCall } from '@tickwire/contract/client-calls.ts';
import { callValues, pythonExpression } from '../../packages/server/src/pages/reference/client-samples.ts';

const calls = Object.fromEntries(
  (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => [
    operationId(name),
    { endpoint: name, ...pythonCall(name), example: pythonExpression(name, callValues(name)) },
  ]),
);
const words = {
  AlertState: contract.ALERT_STATES,
  AuditAction: contract.AUDIT_ACTIONS,
  BarField: contract.BAR_FIELDS,
  CalendarImpact: contract.CALENDAR_IMPACTS,
  DeliveryState: contract.DELIVERY_STATES,
  Direction: contract.Direction.options,
  DocumentKind: contract.DOCUMENT_KINDS,
  FootprintTimeframe: contract.FOOTPRINT_TIMEFRAMES,
  NewsCategory: contract.NEWS_CATEGORIES,
  PublisherSort: contract.PUBLISHER_SORTS,
  TickField: contract.TICK_FIELDS,
  TickKind: contract.TICK_KINDS,
  Timeframe: contract.TIMEFRAMES,
};
console.log(JSON.stringify({ openapi: openApiDocument(), asyncapi: asyncApiDocument(), calls, words }));
