// What a remedy says about an argument that only the agent knows. A call that sends these words back has filled in nothing.

export const BLANKS = {
  name: 'what should change, in a few words',
  steps: 'your steps, in order, each in a few words',
  scope: 'the paths that it may change, as globs',
  plan: 'your plan: its nodes, each with targetFile, whyThisFile, editIntent, and a validate node',
} as const;

/** Of earlier versions: agents still have them in their memory. */
const FORMER = ['describe in a few words what should change', 'describe the step that you are about to take'];

const blanks = new Set([...Object.values(BLANKS), ...FORMER]);

export const isBlank = (text: string): boolean =>
  blanks.has(
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N},]+/gu, ' ')
      .trim(),
  );

/** For a schema: the words are the agent's own. */
export const ownWords = [(text: string) => !isBlank(text), { error: 'these are the words of the form; write your own' }] as const;
