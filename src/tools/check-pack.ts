// What a pack has to satisfy before its tools are registered. Agents choose by names and descriptions, and humans approve by them: a tool
// must not pass for another one, hide text, or become another one after it was seen.

import { z } from 'zod';
import { Fault, SURFACES, type Tool, type ToolPack } from '../protocol/index.ts';
import { findHiddenCharacters } from '../shell/index.ts';

const PACK_NAME = /^[a-z][a-z0-9-]{0,63}$/;
/** Agents put a server's name and two underscores before each of its tools. */
const TOOL_NAME = /^(?!.*__)[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MAX_DESCRIPTION = 4_000;

/** All that an agent is shown of a tool, as one text. */
export type Listing = string;

interface Registered {
  readonly packs: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, Tool>;
}

/** Throws a BAD_REQUEST fault for the first problem, like `checkListings`. */
export function checkNames({ name, tools }: ToolPack, registered: Registered): void {
  if (!PACK_NAME.test(name)) throw refused(`${JSON.stringify(name)} is not a name for a pack`, 'Use small letters, digits and hyphens');
  if (registered.packs.has(name)) throw refused(`The pack ${name} is registered already`, 'Take it away first');
  const taken = new Map([...registered.tools.keys()].map((known) => [alike(known), known]));
  for (const tool of tools) {
    checkName(tool.name, taken);
    taken.set(alike(tool.name), tool.name);
  }
}

/** Returns what agents will be shown, by the tool's name. */
export function checkListings({ tools }: ToolPack, before: ReadonlyMap<string, Listing>): ReadonlyMap<string, Listing> {
  const listings = new Map<string, Listing>();
  for (const tool of tools) {
    checkText(tool.name, 'description', tool.description);
    if (tool.description.trim() === '' || tool.description.length > MAX_DESCRIPTION)
      throw refused(`${tool.name} needs a description of at most ${MAX_DESCRIPTION} characters`);
    checkSurfaces(tool);
    const listing = listingOf(tool);
    if ((before.get(tool.name) ?? listing) !== listing)
      throw refused(
        `${tool.name} was registered before with another description or schema`,
        'Restart the daemon once a human has read the new one',
      );
    listings.set(tool.name, listing);
  }
  return listings;
}

/** `Begin-Work` could be confused with `begin_work`. */
const alike = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

function checkName(name: string, taken: ReadonlyMap<string, string>): void {
  if (!TOOL_NAME.test(name))
    throw refused(`${JSON.stringify(name)} is not a name for a tool`, 'Use letters, digits, hyphens and single underscores');
  const other = taken.get(alike(name));
  if (other === undefined) return;
  throw refused(other === name ? `There is a tool ${name} already` : `${name} could be taken for ${other}`, 'Choose another name');
}

function checkSurfaces({ name, surfaces, executedBy }: Tool): void {
  const unknown = surfaces.find((surface) => !SURFACES.includes(surface));
  if (unknown !== undefined) throw refused(`${name} names the surface ${String(unknown)}, which does not exist`);
  if (surfaces.length > 0 && executedBy !== 'gate') throw refused(`${name} is offered and cannot be run`);
}

function listingOf({ name, description, input, output, surfaces }: Tool): Listing {
  // A tool without a surface is not shown.
  const schemas = surfaces.length === 0 ? [] : [schemaOf(name, input, 'input'), ...(output ? [schemaOf(name, output, 'output')] : [])];
  for (const schema of schemas) for (const text of textsIn(schema)) checkText(name, 'schema', text);
  return JSON.stringify([description, ...schemas]);
}

/** One schema that cannot be listed would hide the whole list of tools from every client. */
function schemaOf(name: string, schema: z.ZodType, io: 'input' | 'output'): object {
  let json: { readonly type?: unknown };
  try {
    json = z.toJSONSchema(schema, { io });
  } catch (cause) {
    throw refused(`The ${io} of ${name} has no JSON schema`, undefined, cause);
  }
  if (io === 'input' && json.type !== 'object') throw refused(`The input of ${name} is not an object`);
  return json;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

function checkText(tool: string, where: string, text: string): void {
  const hidden = findHiddenCharacters(text);
  if (hidden !== null) throw refused(`The ${where} of ${tool} holds hidden characters (${hidden.names})`, 'Take them out');
}

const refused = (message: string, fix?: string, cause?: unknown): Fault =>
  new Fault('BAD_REQUEST', `${message}.`, { ...(fix === undefined ? {} : { fix }), ...(cause === undefined ? {} : { cause }) });
