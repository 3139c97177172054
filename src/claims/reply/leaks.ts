// What a reply must not say in its own words: that it reasons aloud, the syntax of a tool call, or that a tool ran. Fences, inline code and
// quotations are not its own words.

import { GROUNDING_TOOLS, readObjects } from '../../protocol/index.ts';
import { type ReplyText, withoutCode, withoutQuotations } from './reply-text.ts';

const TOOL_ID = `(?:${GROUNDING_TOOLS.map((id) => id.replaceAll('_', '[_-]')).join('|')})`;

/** How far into a reply a preface reaches. */
const PREFACE_CHARACTERS = 400;

const TAGS = /<\/?(?:think|thinking|reasoning|thought|scratchpad)>|\[\/?(?:think|thinking|reasoning)\]/i;
const PREFACES: readonly RegExp[] = [
  /^(?:ok(?:ay)?|alright|all right|hmm+|so|well|right)[,.…]?\s+(?:so\s+|now\s+)?(?:the user|i need to|i should|i have to|we need to|let me|let['’]s)\b/i,
  /^the user (?:is asking|asks|asked|has asked|wants me|wants to know|is requesting)\b/i,
  /^(?:first|now),? (?:i|we) (?:need|have|should|must|want) (?:to )?(?:figure|think|check|look|read|find|understand|analy[sz]e|consider|determine|see|locate|search)\b/i,
  /^let(?: me|['’]s| us) (?:think|reason|analy[sz]e|figure|break (?:this|it) down|see|start by|first|work through|consider)\b/i,
  /^(?:i|we) (?:need|have) to (?:figure out|think|determine|analy[sz]e|find out|understand what)\b/i,
  /^(?:my )?(?:chain of thought|thought process|thinking|reasoning|internal monologue)\s*:/i,
  /^thinking (?:aloud|out loud|step by step)\b/i,
];

/** The words that give it away; null: none. */
export function reasoningPreface(reply: ReplyText): string | null {
  const said = withoutQuotations(withoutCode(reply)).trim();
  const tag = TAGS.exec(said);
  if (tag) return tag[0];
  const start = said.slice(0, PREFACE_CHARACTERS).replace(/^[\s*_#>-]+/, '');
  for (const form of PREFACES) {
    const found = form.exec(start);
    if (found) return found[0];
  }
  return null;
}

const SYNTAX: readonly RegExp[] = [
  /\{\s*"(?:tool|action|tool_id|tool_name)"\s*:\s*"/,
  /<\/?(?:tool_call|tool_use|function_calls?|invoke)\b[^>]*>/i,
  new RegExp(`(?<![\\w/.])${TOOL_ID}\\s*\\((?!s\\))`, 'i'),
  /\bTOOL_NONCE\b/,
  new RegExp(`^\\s*(?:tool|action)\\s*:\\s*${TOOL_ID}\\b`, 'im'),
];

/** The syntax of a tool call in a reply that is not one; null: none. A fenced block counts only if it is a whole call. */
export function toolSyntax(reply: ReplyText): string | null {
  const said = withoutCode(reply);
  for (const form of SYNTAX) {
    const found = form.exec(said);
    if (found) return found[0].trim();
  }
  return reply.fences.some(isWholeCall) ? 'a tool call in a fenced block' : null;
}

function isWholeCall(text: string): boolean {
  const read = readObjects(text.trim());
  const fields = ['tool', 'args', 'nonce'];
  return 'objects' in read && read.objects.some((object) => fields.every((field) => Object.hasOwn(object, field)));
}

const SAYS_RAN =
  '(?:returned|reports?|reported|found|finds|shows?|showed|says?|said|flag(?:s|ged)|confirm(?:s|ed)|list(?:s|ed)|gave|identified|detected|counted|measured|output|results?)';
/** In words too, where the reply speaks of itself: in other sentences a file reader may be part of what the files are about. */
const TOOL_NAME = `(?:${GROUNDING_TOOLS.map((id) => id.replaceAll('_', '[_ -]')).join('|')})`;
const I_DID = `\\b(?:i|we)(?:['’]ve| have)?\\s+(?:just\\s+|already\\s+|also\\s+)?`;
const TOOL_CLAIMS: readonly RegExp[] = [
  new RegExp(`${I_DID}(?:used|ran|run|called|executed|invoked|queried|consulted)\\b[^.!?\\n]{0,60}?\\b(${TOOL_NAME})\\b`, 'i'),
  // "I checked it with file_reader", "using the file reader, I found".
  new RegExp(`${I_DID}\\p{Ll}+\\b[^.!?\\n]{0,60}?\\b(?:with|using|via|through)\\s+(?:the\\s+|my\\s+)?(${TOOL_NAME})\\b`, 'iu'),
  new RegExp(`\\b(?:with|using|via|through)\\s+(?:the\\s+|my\\s+)?(${TOOL_NAME})\\b[^.!?\\n]{0,20}?\\b(?:i|we)\\b`, 'i'),
  new RegExp(
    `\\b(?:according to|based on|output of|results? (?:of|from)|after running|by running|thanks to)\\s+(?:the\\s+|my\\s+)?(${TOOL_ID})\\b`,
    'i',
  ),
  new RegExp(`\\b(${TOOL_ID})\\b(?:\\s+tool)?[^.!?\\n]{0,20}?\\b${SAYS_RAN}\\b`, 'i'),
  /\b(?:i|we)(?:['’]ve| have)?\s+(?:just\s+|already\s+)?(?:used|ran|called|executed|invoked)\s+(?:a|an|the|my|several|some|two|three)\s+(?:[\w-]+\s+){0,3}tools?\b/i,
  /\b(?:the|my)\s+tools?(?:['’]s)?\s+(?:(?:call|run|results?|output)\s+)?(?:returned|reported|found|shows?|showed|confirm(?:s|ed)|flagged|indicates?)\b/i,
];
const NOT_CLAIMED = /\b(?:not|never|no|without|cannot|would|could|should|can|may|might|will|if|let me|please)\b|n['’]t\b/i;

/** Tools that the reply says it used: their ids, or `''` where it names none. */
export function toolClaims(reply: ReplyText): readonly string[] {
  const said = withoutQuotations(withoutCode(reply));
  return said.split(/(?<=[.!?])\s+|\n+/).flatMap((sentence) => {
    for (const form of TOOL_CLAIMS) {
      const found = form.exec(sentence);
      // "I did not run", but not "it found no match".
      if (found && !NOT_CLAIMED.test(sentence.slice(0, found.index + found[0].length)))
        return [(found[1] ?? '').toLowerCase().replaceAll(/[ -]/g, '_')];
    }
    return [];
  });
}
