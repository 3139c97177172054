// A model that works as agents do: it starts with the work itself; refused, it makes the very call that the refusal names and tries
// again; sent back at the end of its turn, it fetches what is required. It counts what that cost.

import { assistantTurns, type ModelRequest, type ScriptedTurn, textOf } from '../../lab/scripted-model.ts';
import { type Step, turnsOf } from './steps.ts';
import type { Words } from './words.ts';

/** The result of one prompt. */
export interface PromptFigures {
  /** Codes of the refusals. */
  readonly blocks: string[];
  /** Calls that the task itself did not need. */
  extraCalls: number;
  /** The tools' answers, to explain a failure. */
  readonly answers: string[];
}

interface Prompt {
  readonly turns: ScriptedTurn[];
  readonly figures: PromptFigures;
  /** The turn that was refused, to be made again. */
  again: ScriptedTurn | null;
  last: ScriptedTurn | null;
  remedies: number;
}

const promptMarker = (number: number): string => `[prompt ${number}]`;
const partMarker = (number: number): string => `[part ${number}]`;
const REFUSED = /Countersign ([A-Z][A-Z_]+): /;
const REMEDY = /Call: (?:mcp_+countersign_+|countersign[-_]+)(\w+) (\{.*\})/;
const WANTS_STAMP = 'carries no compliance stamp yet';
const WANTS_CHECK = 'Countersign: a check fails';
/** How often an agent follows a refusal's advice for one prompt. */
const REMEDIES = 3;

export class WorkingAgent {
  private readonly words: Words;
  private readonly root: string;
  private readonly prompts: Prompt[] = [];
  private readonly parts: ScriptedTurn[][] = [];
  /** A repeated request gets the same answer. */
  private readonly given = new Map<string, ScriptedTurn>();

  private readonly heedsRefusals: boolean;

  constructor(words: Words, root: string, { heedsRefusals = true } = {}) {
    this.words = words;
    this.root = root;
    this.heedsRefusals = heedsRefusals;
  }

  /** What a human types to have these steps done. */
  prompt(name: string, steps: readonly Step[]): string {
    const turns = steps.flatMap((step) => {
      if ('agent' in step) this.parts.push(step.agent.flatMap((each) => this.turnsOf(each)));
      return this.turnsOf(step);
    });
    this.prompts.push({ turns, figures: { blocks: [], extraCalls: 0, answers: [] }, again: null, last: null, remedies: 0 });
    return `${promptMarker(this.prompts.length - 1)} Please: ${name}.`;
  }

  get figures(): readonly PromptFigures[] {
    return this.prompts.map(({ figures }) => figures);
  }

  readonly answer = (request: ModelRequest): ScriptedTurn => {
    const turn = assistantTurns(request.messages);
    const opening = textIn(
      request,
      0,
      request.messages.findIndex(({ role }) => role === 'assistant'),
    );
    const part = this.parts.findIndex((_, index) => opening.includes(partMarker(index)) || this.isHeard(opening));
    if (part >= 0 && !opening.includes('[prompt ')) {
      this.noteBlocks(this.prompts.at(-1), request);
      return this.parts[part]?.[turn] ?? { text: 'My part is done.' };
    }
    const all = textIn(request, 0, -1);
    const number = this.prompts.findLastIndex((_, index) => all.includes(promptMarker(index)));
    const prompt = this.prompts[number];
    if (!prompt) return { text: 'ok' };
    const key = `${number} ${turn}`;
    const answer = this.given.get(key) ?? this.next(prompt, request);
    this.given.set(key, answer);
    return answer;
  };

  private next(prompt: Prompt, request: ModelRequest): ScriptedTurn {
    const { figures } = prompt;
    const heard = this.noteBlocks(prompt, request);
    if (heard.includes(WANTS_STAMP)) {
      figures.extraCalls += 1;
      return this.words.own('elefanteAssertCompliance');
    }
    if (heard.includes(WANTS_CHECK)) figures.blocks.push('CHECK_FAILS');
    const [, tool, args] = REFUSED.test(heard) ? (REMEDY.exec(heard) ?? []) : [];
    if (tool !== undefined && args !== undefined && prompt.last && this.heedsRefusals && prompt.remedies < REMEDIES) {
      prompt.remedies += 1;
      prompt.again = prompt.last;
      figures.extraCalls += 1;
      return this.words.own(tool, JSON.parse(args) as Record<string, unknown>);
    }
    const { again } = prompt;
    if (again) {
      prompt.again = null;
      figures.extraCalls += 1;
      return again;
    }
    prompt.last = prompt.turns.shift() ?? { text: 'Done.' };
    return prompt.last;
  }

  private noteBlocks(prompt: Prompt | undefined, request: ModelRequest): string {
    const heard = textIn(request, request.messages.findLastIndex(({ role }) => role === 'assistant') + 1, -1);
    if (!prompt || prompt.figures.answers.at(-1) === heard) return heard;
    prompt.figures.answers.push(heard);
    for (const [, code = ''] of heard.matchAll(new RegExp(REFUSED, 'g'))) prompt.figures.blocks.push(code);
    return heard;
  }

  private turnsOf(step: Step): readonly ScriptedTurn[] {
    const turns = turnsOf(this.words, this.root, step, partMarker(this.parts.length - 1));
    if (turns === null) throw new Error(`${this.words.client.name} has no words for ${JSON.stringify(step)}`);
    return turns;
  }

  private isHeard(opening: string): boolean {
    return this.words.subAgentHears !== undefined && opening.includes(this.words.subAgentHears);
  }
}

function textIn({ messages }: ModelRequest, from: number, to: number): string {
  return messages
    .slice(from, to < 0 ? undefined : to)
    .map(({ content }) => textOf(content))
    .join('\n');
}
