// Generates src/api/schema.d.ts and constants.ts from the OpenAPI description: request types and public constants.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const here = (path) => new URL(path, import.meta.url);
const description = JSON.parse(await readFile(here('../../docs/openapi.json'), 'utf8'));

// Headers that api/client.ts adds to every request are left out of the types.
const ALWAYS_SENT = new Set(['Accept-Language']);
for (const methods of Object.values(description.paths)) {
  for (const call of Object.values(methods)) {
    if (Array.isArray(call.parameters)) {
      call.parameters = call.parameters.filter((parameter) => !ALWAYS_SENT.has(parameter.name));
    }
  }
}

const schemes = description.components.securitySchemes;
const written = {
  '../src/api/schema.d.ts': `// Written by scripts/types.mjs from docs/openapi.json.\n${astToString(await openapiTS(description, { defaultNonNullable: false }))}`,
  '../src/api/constants.ts':
    '// Written by scripts/types.mjs from docs/openapi.json.\n' +
    `export const API_KEY = '${schemes.apiKey['x-default']}';\n` +
    `export const APP_SECRET = '${schemes.appSecret['x-default']}';\n`,
};

for (const [path, text] of Object.entries(written)) await writeFile(here(path), text);
