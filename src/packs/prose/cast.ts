// The agents that a story has unless a person says otherwise, and which of them a request is for.

import { type AgentProfile, CHIEF, type ClaimForm } from '../../protocol/index.ts';

interface CastMember extends AgentProfile {
  /** A reply has to cite one of these; empty: any source. */
  readonly sources: readonly string[];
  /** The form of evidence that its claims usually have. */
  readonly evidence: ClaimForm;
  /** Words of a request that are about its work. */
  readonly topics: readonly string[];
}

const CAST: readonly CastMember[] = [
  {
    id: CHIEF,
    name: 'Chief of Staff',
    role: CHIEF,
    instructions:
      'You find out what the files say, keep the question in view, and say what the answers add up to, with the passage that proves it.',
    tier: null,
    endpoint: null,
    sources: [],
    evidence: 'content',
    topics: ['plan', 'next', 'summary', 'summarise', 'summarize', 'status', 'priorities', 'overview', 'decide'],
  },
  {
    id: 'continuity',
    name: 'Continuity',
    role: 'continuity',
    instructions: 'You are a continuity editor. You check facts, dates, places and names against the canon and the other scenes.',
    tier: null,
    endpoint: null,
    sources: ['Canon.md', 'Compendium/**', 'Story/**'],
    evidence: 'content',
    topics: [
      'contradiction',
      'contradict',
      'consistent',
      'consistency',
      'continuity',
      'canon',
      'timeline',
      'date',
      'age',
      'eyes',
      'hair',
      'name',
      'where',
      'when',
      'mention',
      'never',
      'fact',
    ],
  },
  {
    id: 'line-editor',
    name: 'Line editor',
    role: 'line-editor',
    instructions: 'You are a line editor. You read sentences: rhythm, repetition, adverbs, dialogue, point of view.',
    tier: null,
    endpoint: null,
    sources: ['Story/Scenes/**'],
    evidence: 'content',
    topics: [
      'sentence',
      'prose',
      'style',
      'rhythm',
      'pacing',
      'voice',
      'adverb',
      'adverbs',
      'dialogue',
      'repeat',
      'repetition',
      'wording',
      'line',
      'tighten',
      'cut',
      'pov',
    ],
  },
  {
    id: 'sceptic',
    name: 'Sceptical reader',
    role: 'sceptic',
    instructions: 'You are a sceptical reader. You say what a first reader would not believe, not understand, or skip.',
    tier: null,
    endpoint: null,
    sources: ['Story/**'],
    evidence: 'structural',
    topics: [
      'believe',
      'believable',
      'motivation',
      'why',
      'confusing',
      'boring',
      'reader',
      'stakes',
      'plot',
      'structure',
      'outline',
      'act',
      'ending',
      'scene',
      'hole',
    ],
  },
];

/** As agents of a workspace; a person may change each of them there. */
export const DEFAULT_CAST: readonly AgentProfile[] = CAST.map(({ id, name, role, instructions, tier, endpoint }) => ({
  id,
  name,
  role,
  instructions,
  tier,
  endpoint,
}));

/** What a role's evidence has to come from; empty: anything. */
export const sourcesOfRole = (role: string): readonly string[] => CAST.find((member) => member.role === role)?.sources ?? [];

export interface Routed {
  readonly agents: readonly { readonly agent: string; readonly role: string; readonly because: readonly string[] }[];
  /** What the answer has to show. */
  readonly evidence: ClaimForm;
  readonly tools: readonly string[];
}

const ABSENCE = /\b(?:never|nowhere|any mention|is there (?:a|any)|does .* ever|not mentioned|missing)\b/i;
const STRUCTURE = /\b(?:outline|structure|order|act|chapter|section|beat|where in)\b/i;
const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:contradict\w*|consisten\w*|continuity|eyes?|hair|age|timeline)\b/i, 'consistency_checker'],
  [/\bcanon\b/i, 'canon_checker'],
  [/\b(?:outline|structure|beats?|acts?)\b/i, 'outline_analyzer'],
  [/\b(?:draft|matches? the outline|against the outline)\b/i, 'scene_draft_validator'],
  [/\b(?:prose|rhythm|pacing|adverbs?|dialogue|sentences?|voice|repeti\w+)\b/i, 'prose_analyzer'],
  [/\b(?:issues?|tickets?|open questions?)\b/i, 'search_issues'],
];

/** By the words of the request; the Chief is always among them. */
export function routeTask(request: string, cast: readonly CastMember[] = CAST): Routed {
  const words = new Set(request.toLowerCase().match(/[\p{L}]+/gu) ?? []);
  const agents = cast
    .map(({ id, role, topics }) => ({ agent: id, role, because: topics.filter((topic) => words.has(topic) || words.has(`${topic}s`)) }))
    .filter(({ agent, because }) => agent === cast[0]?.id || because.length > 0)
    .toSorted((a, b) => b.because.length - a.because.length);
  const tools = TOOLS.flatMap(([about, tool]) => (about.test(request) ? [tool] : []));
  const evidence = ABSENCE.test(request) ? 'absence' : STRUCTURE.test(request) ? 'structural' : 'content';
  return { agents, evidence, tools: ['file_locator', ...tools, ...(tools.length === 0 ? ['file_reader'] : [])] };
}
