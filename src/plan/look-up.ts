// Looks up what a draft names: files, symbols, sources, chains, operations, policies and lessons. All reading for a plan happens here.

import { citeLines, statusOfCitation } from '../claims/index.ts';
import type { FileFacts, GraphNode } from '../codeindex/index.ts';
import { Fault, type PlanSource } from '../protocol/index.ts';
import type { Artifact } from './lanes/lane.ts';
import type { ContractFact, SourceFact, TargetFact } from './graph/plan-facts.ts';
import type { PlanDraft } from './graph/read-plan.ts';
import { type GivenSource, sourceKey } from './graph/read-source.ts';
import { filesNamed } from './graph/check-verification.ts';
import type { PlanIndex, PlanPorts, PlanSituation } from './situation.ts';

/** A definition that is cited by name is cited with so many lines. */
const CITED_LINES_MAX = 40;
const TEXT_SYMBOLS = new Set(['heading', 'key']);
const DESCRIPTIONS_MAX = 20;
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const DESCRIPTION = /(?:^|\/)[^/]*(?:openapi|swagger)[^/]*\.(?:ya?ml|json)$/i;
const IMPORTED_MAX = 500;
const POLICIES_MAX = 1_000;

/** The files that the draft names, as they are given. */
export function pathsIn(draft: PlanDraft): readonly { readonly path: string; readonly access: 'write' | 'delete' }[] {
  return draft.nodes.flatMap(({ kind, given }) => {
    if (kind !== 'change') return [];
    const [target, to] = [given.text('targetFile'), given.text('renameTo')];
    const removes = given.text('operation') === 'delete' || to !== undefined;
    return [
      ...(target === undefined ? [] : [{ path: target, access: removes ? ('delete' as const) : ('write' as const) }]),
      ...(to === undefined ? [] : [{ path: to, access: 'write' as const }]),
    ];
  });
}

export async function lookUpTargets(
  draft: PlanDraft,
  ports: Pick<PlanPorts, 'code' | 'observe'>,
): Promise<ReadonlyMap<string, TargetFact>> {
  const named = new Map(pathsIn(draft).map(({ path, access }) => [path, access]));
  const seen = await Promise.all([...named].map(([path, access]) => ports.observe(path, access)));
  const real = seen.flatMap((each) => (each.real !== null && each.sha256 !== null ? [each.real] : []));
  const facts = new Map((ports.code ? await ports.code.index.facts(real) : []).map((each) => [each.file.path, each]));
  const isMissing = seen.some(({ sha256 }) => sha256 === null);
  const paths = isMissing && ports.code ? (await ports.code.index.files()).map(({ path }) => path) : [];
  return new Map(
    [...named.keys()].flatMap((path, at) => {
      const file = seen[at]!;
      const known = file.real === null ? undefined : facts.get(file.real);
      const target: TargetFact = {
        seen: file,
        symbols: known ? symbolsOf(known) : null,
        nearest: file.sha256 === null ? nearestPath(path, paths) : null,
      };
      return [[path, target] as const, ...(file.real === null ? [] : [[file.real, target] as const])];
    }),
  );
}

function symbolsOf({ definitions }: FileFacts): NonNullable<TargetFact['symbols']> {
  const code = definitions.filter(({ kind }) => !TEXT_SYMBOLS.has(kind));
  return code.map(({ name, container }) => ({ name: container === null ? name : `${container}.${name}`, top: container === null }));
}

/** An existing file of the same name, the one with most folders in common. */
function nearestPath(path: string, paths: readonly string[]): string | null {
  const name = path.split('/').at(-1)!.toLowerCase();
  const folders = new Set(path.split('/').slice(0, -1));
  const shared = (other: string): number => other.split('/').filter((part) => folders.has(part)).length;
  const alike = paths.filter((other) => other.split('/').at(-1)!.toLowerCase() === name);
  return alike.toSorted((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))[0] ?? null;
}

export interface SourceContext {
  readonly situation: PlanSituation;
  readonly ports: Pick<PlanPorts, 'code' | 'claimStatus' | 'privateFolders'>;
  readonly artifacts: readonly Artifact[];
  readonly contract: ContractFact;
  readonly policyIds: ReadonlySet<string>;
}

export async function lookUpSources(given: readonly GivenSource[], context: SourceContext): Promise<ReadonlyMap<string, SourceFact>> {
  const distinct = new Map(given.map((source) => [sourceKey(source), source]));
  const facts = await Promise.all([...distinct.values()].map((source) => lookUpSource(source, context)));
  return new Map([...distinct.keys()].map((key, at) => [key, facts[at]!]));
}

async function lookUpSource(source: GivenSource, context: SourceContext): Promise<SourceFact> {
  if ('ref' in source) return lookUpRef(source.ref, context);
  if ('start_line' in source) return lookUpLines(source, context);
  if ('symbol' in source) return lookUpSymbol(source.path, source.symbol, context);
  const read = context.situation.reads.findLast(({ path }) => path === source.path);
  if (read) return lookUpLines(read, context);
  return unknown(
    `${JSON.stringify(source.path.slice(0, 120))} is neither a name such as "prompt" nor a file that this session read; say which lines are meant`,
  );
}

async function lookUpLines(lines: Extract<GivenSource, { start_line: number }>, { situation, ports }: SourceContext): Promise<SourceFact> {
  const { worktreeRoot: root } = situation;
  try {
    return found(await citeLines(root, lines, ports.privateFolders));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code !== 'CONFLICT') return unknown(error.message);
    const cited = { ...lines, sha256: lines.sha256! };
    const { moved, because } = await statusOfCitation(cited, { root, privateFolders: ports.privateFolders });
    if (moved) return { ...found({ ...cited, start_line: moved.start_line, end_line: moved.end_line }), note: because };
    const now = await citeLines(root, { ...lines, sha256: undefined }, ports.privateFolders).catch(() => undefined);
    return { kind: 'changed', why: because, ...(now ? { now } : {}) };
  }
}

async function lookUpSymbol(path: string, symbol: string, context: SourceContext): Promise<SourceFact> {
  const { code } = context.ports;
  if (!code) return unknown(`${path}#${symbol} cannot be looked up without an index; cite lines`);
  const [facts] = await code.index.facts([path]);
  const definition = facts?.definitions.find(
    ({ name, container }) => name === symbol || (container !== null && `${container}.${name}` === symbol),
  );
  if (!definition) return unknown(facts ? `${path} defines no ${JSON.stringify(symbol)}` : `${path} is not indexed`);
  const { start_line, end_line } = definition.range;
  return lookUpLines({ path, start_line, end_line: Math.min(end_line, start_line + CITED_LINES_MAX - 1) }, context);
}

async function lookUpRef(ref: string, { situation, ports, artifacts, contract, policyIds }: SourceContext): Promise<SourceFact> {
  const { prompt, intent, lessons, traceRefs } = situation;
  const yes = (known: boolean, why: string, as = ref): SourceFact => (known ? found({ ref: as }) : unknown(why));
  const [, kind = ref, id = ''] = /^([a-z]+):(.+)$/i.exec(ref) ?? [];
  switch (kind.toLowerCase()) {
    case 'prompt':
      return yes(prompt !== null, 'No prompt of this run is known', 'prompt');
    case 'intent':
      return yes(intent !== null && (id === '' || id === intent.id), `${ref} is not the selected intent`, `intent:${intent?.id ?? ''}`);
    case 'criterion':
      return yes(
        isEntry(id, intent?.id, intent?.acceptance_criteria),
        `The selected intent has no acceptance criterion ${JSON.stringify(id)}; they count from 1: criterion:ID#1`,
      );
    case 'constraint':
      return yes(
        isEntry(id, intent?.id, intent?.constraints),
        `The selected intent has no constraint ${JSON.stringify(id)}; they count from 1: constraint:ID#1`,
      );
    case 'policy':
      return yes(policyIds.has(id), `There is no policy ${JSON.stringify(id)} here`);
    case 'operation':
      return yes(
        contract.operations.some((operation) => operation.toLowerCase() === id.toLowerCase()),
        `No API description has the operation ${JSON.stringify(id)}`,
      );
    case 'lesson':
    case 'memory': {
      const lesson = lessons.find((each) => each.id === id);
      if (!lesson) return unknown(`There is no lesson ${JSON.stringify(id)}`);
      if (lesson.state === 'expired') return { kind: 'expired', why: `The lesson ${id} expired before a human approved it` };
      if (lesson.state === 'rejected') return { kind: 'rejected', why: `A human rejected the lesson ${id}` };
      return yes(lesson.state !== 'pending', `The lesson ${id} waits to be approved`, `lesson:${id}`);
    }
    case 'artifact':
    case 'jira':
    case 'swagger':
      return yes(
        artifacts.some((each) => each.id === ref || each.id === id),
        `${ref} was not fetched`,
      );
    case 'trace':
      return yes(traceRefs.has(id), `${id} is not a turn of this run`);
    default:
      if (ref.startsWith('clm_')) return lookUpClaim(ref, ports);
      return yes(traceRefs.has(ref), `${ref} is not known in this run`);
  }
}

async function lookUpClaim(id: string, { claimStatus }: Pick<PlanPorts, 'claimStatus'>): Promise<SourceFact> {
  const claim = await claimStatus(id);
  if (!claim) return unknown(`There is no memory ${id}`);
  if (claim.status === 'STALE') return { kind: 'changed', why: `The memory ${id} is stale: ${claim.because}` };
  return claim.status === 'REFUTED' ? { kind: 'rejected', why: `The memory ${id} is refuted: ${claim.because}` } : found({ ref: id });
}

/** `INT-001#2`, or `2` alone. */
function isEntry(id: string, intent: string | undefined, entries: readonly string[] | undefined): boolean {
  const [, named, number = ''] = /^(?:([^#]+)#)?(\d{1,3})$/.exec(id) ?? [];
  return entries !== undefined && (named === undefined || named === intent) && Number(number) >= 1 && Number(number) <= entries.length;
}

const found = (source: PlanSource): Extract<SourceFact, { kind: 'found' }> => ({ kind: 'found', source });
const unknown = (why: string): SourceFact => ({ kind: 'unknown', why });

/** Operations of API descriptions that these texts name, by path or by operation id. */
export async function lookUpContract(
  index: PlanIndex | null,
  files: readonly { readonly path: string }[],
  texts: readonly string[],
  artifacts: readonly Artifact[],
): Promise<ContractFact> {
  const descriptions = files.map(({ path }) => path).filter((path) => DESCRIPTION.test(path));
  const facts = index ? await index.facts(descriptions.slice(0, DESCRIPTIONS_MAX)) : [];
  const said = texts.join('\n').toLowerCase();
  const operations = facts.flatMap(({ definitions }) =>
    definitions.flatMap(({ name, container, id }) => {
      if (!METHODS.has(name) || !container?.startsWith('paths./')) return [];
      const path = container.slice('paths.'.length);
      const operationId = definitions
        .find((each) => each.id.startsWith(`${id}.operationId`))
        ?.signature.replace(/^"?operationId"?:\s*"?|"$/g, '');
      const isSaid =
        said.includes(path.toLowerCase()) ||
        (operationId !== undefined && operationId.length > 3 && said.includes(operationId.toLowerCase()));
      return isSaid ? [`${name.toUpperCase()} ${path}`, ...(operationId === undefined ? [] : [operationId])] : [];
    }),
  );
  const described = artifacts.filter(({ id }) => /^(?:swagger|openapi):/.test(id));
  const fetched = [...said.matchAll(/\b(get|put|post|delete|patch)\s+(\/[\w{}/.:-]+)/g)]
    .filter(([, , path]) => described.some(({ text }) => text.toLowerCase().includes(path!)))
    .map(([, method, path]) => `${method!.toUpperCase()} ${path!}`);
  return { operations: [...new Set([...operations, ...fetched])], descriptions };
}

/** Files that the hooks' own files import, however far: a test covers what it imports. */
export async function lookUpImports(index: PlanIndex | null, hooks: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reached = new Map<string, ReadonlySet<string>>();
  if (!index) return reached;
  for (const file of new Set(hooks.flatMap(filesNamed))) {
    const seen = new Set<string>();
    let open = [file];
    while (open.length > 0 && seen.size < IMPORTED_MAX) {
      const facts = await index.facts(open);
      open = facts.flatMap(({ imports }) => imports.flatMap(({ target }) => (target !== null && !seen.has(target) ? [target] : [])));
      for (const target of open) seen.add(target);
      open = [...new Set(open)];
    }
    reached.set(file, seen);
  }
  return reached;
}

export interface PolicyRow {
  readonly id: string;
  readonly name: string;
  /** Folders; empty: everywhere. */
  readonly folders: readonly string[];
  readonly text: string;
  readonly node: GraphNode;
}

export async function lookUpPolicies({ code }: PlanPorts): Promise<readonly PolicyRow[]> {
  const nodes = code ? await code.graph.find({ label: 'Policy', limit: POLICIES_MAX }) : [];
  return nodes.map((node) => {
    const anchors = node.data['domainAnchorIds'];
    const folders = Array.isArray(anchors)
      ? anchors.filter((each) => typeof each === 'string').map((each) => each.replace(/^anchor:/, ''))
      : [];
    const text = ['statement', 'description', 'text'].map((key) => node.data[key]).find((value) => typeof value === 'string');
    return { id: node.id, name: node.name, folders, text: typeof text === 'string' ? text : node.name, node };
  });
}
