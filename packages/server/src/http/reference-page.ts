// The API reference at /docs: one self-contained page, generated from the contract.
import { API_VERSION, schemaSet } from '@tickwire/contract';
import { authentication, gettingStarted, limits } from './reference/access.ts';
import { errors } from './reference/errors.ts';
import { html, raw } from './reference/html.ts';
import { resources, versioning } from './reference/resources.ts';
import { rest } from './reference/rest.ts';
import { SCRIPT } from './reference/script.ts';
import { contents, renderSection } from './reference/section.ts';
import { STYLE } from './reference/style.ts';
import { websocket } from './reference/websocket.ts';

export interface ReferencePageOptions {
  /** Shows a note that the data of this service is simulated. */
  readonly simulated?: boolean;
}

const SIMULATED = html`<p class="simulated" role="note"><strong>Simulated data.</strong> Prices, volumes and everything derived from them
on this service are not real. Responses carry the header <code>Data-Source: simulated</code>, subscription notices <code>"source":"simulated"</code>.</p>`;

export function referencePage({ simulated = false }: ReferencePageOptions = {}): string {
  // Messages have their field tables in the WebSocket section. Only REST resources get a separate section.
  const messageSchemas = schemaSet('#/');
  const resourceSchemas = schemaSet('#/');
  const sections = [
    gettingStarted(),
    authentication(),
    limits(),
    rest(resourceSchemas),
    websocket(messageSchemas),
    errors(),
    resources(resourceSchemas),
    versioning(),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tickwire API reference</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#start">Skip to the reference</a>
<header class="masthead"><a class="name" href="#start">Tickwire</a><span>API reference</span><span class="version">${API_VERSION}</span>
<nav aria-label="Documents"><a href="/openapi.json">OpenAPI</a><a href="/asyncapi.json">AsyncAPI</a></nav></header>
<div class="frame">
<aside>${contents(sections)}</aside>
<main>${simulated && SIMULATED}
${sections.map(renderSection)}
</main>
</div>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.markup;
}
