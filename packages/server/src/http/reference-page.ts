// The reference at /docs: one page that stands on its own, generated from the contract.
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
  /** Says at the top that the data of this service is simulated. */
  readonly simulated?: boolean;
}

const SIMULATED = html`<p class="simulated" role="note"><strong>Simulated data.</strong> Prices, volumes and everything derived from them
on this service are made up. Answers carry <code>Data-Source: simulated</code>, subscriptions <code>"source":"simulated"</code>.</p>`;

export function referencePage({ simulated = false }: ReferencePageOptions = {}): string {
  // Messages have field tables where they are described; only the resources of REST get a section of their own.
  const messages = schemaSet('#/');
  const answers = schemaSet('#/');
  const sections = [
    gettingStarted(),
    authentication(),
    limits(),
    rest(answers),
    websocket(messages),
    errors(),
    resources(answers),
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
