// Risk: what cannot be undone, is privileged, reads secrets or talks to other machines waits for a human. What merely changes files
// passes under an intent, and STRICT asks about it unless a human allowed it beforehand. An approval counts once, for the very same input.

import { type CommandReading, type Facts, mutates, riskWords } from '../protocol/index.ts';
import { awaitHuman } from './await-human.ts';
import { FILE_OUTSIDE } from './ordinary-case.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'risk';

function needsHuman({ command, mode, allowance }: Facts): boolean {
  // A tool that the gate does not know could do anything.
  if (command === null) return allowance === undefined;
  if (command.class === 'MUTATING') return mode.effective === 'STRICT' && allowance === undefined;
  return command.class !== 'SAFE';
}

/**
 * A no stays valid for this input however it is classified now, and so does a question: a milder mode or a weaker setting is not
 * an answer. A yes in advance is one.
 */
const isAskedAlready = ({ approval, allowance }: Facts): boolean =>
  approval?.state === 'rejected' || (approval?.state === 'pending' && allowance === undefined);

const BUILD: CommandReading = { class: 'MUTATING', reasons: [{ code: 'SCRIPT', part: 'npm run build', message: 'npm runs a script' }] };
const STRICT = { declared: 'STRICT', minimum: null, pinned: null, effective: 'STRICT' } as const;

const ONCE = 'Wait for the answer, then repeat exactly this call; an approval counts once and only for this input';

/** What a pipeline runs later, with its secrets. */
const PIPELINE =
  /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.buildkite\/|\.woodpecker|\.teamcity\/|(?:\.gitlab-ci|\.travis|\.drone|azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec)\.ya?ml$|Jenkinsfile$)/i;

/** A scope that covers everything does not name the pipelines; one that begins like the file does. */
const isNamed = ({ real, scope_glob }: Facts['files'][number]): boolean =>
  scope_glob !== null && real !== null && !/[*?[{!]/.test(scope_glob.split('/')[0]!) && scope_glob.split('/')[0] === real.split('/')[0];

export const riskPolicy: Policy = {
  name,
  version: 2,
  guardsReads: true,
  judge: (action, facts) => {
    const risky = action.effects.includes('execute') || action.effects.includes('external');
    const secret = facts.command === null ? facts.files.find((file) => file.access === 'read' && file.secret !== undefined) : undefined;
    if (secret !== undefined)
      return awaitHuman(name, facts, {
        message: `This waits for a human: it reads ${secret.secret} (${secret.path}).`,
        required_action: ONCE,
      });
    const pipeline = facts.files.find(
      (file) => file.access !== 'read' && PIPELINE.test(file.real ?? '') && file.scope_glob !== null && !isNamed(file),
    );
    if (pipeline !== undefined && mutates(action.effects)) {
      const message = `This waits for a human: ${pipeline.real} is run later by a pipeline, with its secrets, and the intent does not name it.`;
      return awaitHuman(name, facts, { message, required_action: ONCE });
    }
    if (!risky) return allow(name);
    const { command } = facts;
    if (command?.reasons.some(({ code }) => code === 'CONTROL_CHARACTERS')) {
      return deny(name, {
        code: 'HIDDEN_CHARACTERS',
        message: 'This command holds control, bidirectional or invisible characters: what it shows is not what it does.',
        required_action: 'Write the command again in plain visible characters',
        remedy: null,
      });
    }
    if (!needsHuman(facts) && !isAskedAlready(facts)) return allow(name);
    const reasons = new Set(command?.reasons.map((reason) => reason.message));
    const why =
      [...reasons].join('; ') ||
      (command
        ? 'the gate cannot tell what it changes'
        : 'the gate cannot tell what it changes; a yes holds for this tool until its input takes another form');
    return awaitHuman(name, facts, {
      message: `This waits for a human (${command ? riskWords(command) : 'unknown tool'}): ${why}.`,
      required_action: ONCE,
    });
  },
  examples: [
    {
      says: 'a file tool that reads credentials',
      action: { effects: ['observe'] },
      facts: { files: [{ ...FILE_OUTSIDE, path: '/home/me/.aws/credentials', access: 'read', real: null, secret: 'credentials' }] },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'an edit of a workflow under a scope of everything',
      facts: { files: [{ ...FILE_OUTSIDE, path: '.github/workflows/ci.yml', real: '.github/workflows/ci.yml', scope_glob: '**' }] },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'the same where the intent names the folder',
      facts: { files: [{ ...FILE_OUTSIDE, path: '.github/workflows/ci.yml', real: '.github/workflows/ci.yml', scope_glob: '.github/**' }] },
      expect: 'allow',
    },
    {
      says: 'a command that turns its own text around',
      action: { effects: ['execute'] },
      facts: { files: [], command: { class: 'MUTATING', reasons: [{ code: 'CONTROL_CHARACTERS', part: 'echo', message: 'hidden text' }] } },
      expect: 'HIDDEN_CHARACTERS',
    },
    {
      says: 'a command that deletes',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [{ code: 'DELETES', part: 'rm -rf build', message: 'rm deletes files' }] },
      },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a build, which changes files',
      action: { effects: ['execute'] },
      facts: { files: [], command: BUILD },
      expect: 'allow',
    },
    {
      says: 'the same in STRICT',
      action: { effects: ['execute'] },
      facts: { files: [], command: BUILD, mode: STRICT },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'the same in GUARDED, which a human was asked about in STRICT and has not answered',
      action: { effects: ['execute'] },
      facts: { files: [], command: BUILD, approval: { id: 'apr_00000000000000000000000000', state: 'pending', reason: null, proof: null } },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'the same in STRICT, granted for this intent',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: BUILD,
        mode: STRICT,
        allowance: { by: 'grant', patterns: ['npm run *'], grants: ['grt_00000000000000000000000000'] },
      },
      expect: 'allow',
    },
    {
      says: 'a write outside of the scope that a human let pass as risky: scope is its guard',
      action: { effects: ['execute'] },
      facts: { files: [], command: { class: 'WRITES_OUTSIDE', reasons: [{ code: 'OUTSIDE', part: 'cp a /etc', message: 'writes /etc' }] } },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a tool that the gate does not know',
      action: { effects: ['execute', 'external'] },
      facts: { files: [] },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'the same, granted for this intent',
      action: { effects: ['execute', 'external'] },
      facts: { files: [], allowance: { by: 'grant', patterns: ['mcp__jira__*'], grants: ['grt_00000000000000000000000000'] } },
      expect: 'allow',
    },
    {
      says: 'the same, which a human said yes to before',
      action: { effects: ['execute', 'external'] },
      facts: {
        files: [],
        allowance: { by: 'remembered', patterns: ['mcp__jira__create'], grants: ['grt_00000000000000000000000000'] },
      },
      expect: 'allow',
    },
    {
      says: 'a deletion approved without proof of a human',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        approval: { id: 'apr_00000000000000000000000000', state: 'approved', reason: null, proof: 'none' },
      },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a deletion that a human rejected',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        approval: { id: 'apr_00000000000000000000000000', state: 'rejected', reason: 'keep it', proof: 'login' },
      },
      expect: 'APPROVAL_REJECTED',
    },
    {
      says: 'a deletion that a logged-in human approved',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        approval: { id: 'apr_00000000000000000000000000', state: 'approved', reason: null, proof: 'login' },
      },
      expect: 'allow',
    },
    {
      says: 'the same where a human has enrolled a key, which this answer was not signed with',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        proof_needed: 'passphrase',
        approval: { id: 'apr_00000000000000000000000000', state: 'approved', reason: null, proof: 'login' },
      },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a command proven to only read',
      action: { effects: ['observe'] },
      facts: { files: [], command: { class: 'SAFE', reasons: [] } },
      expect: 'allow',
    },
    { says: 'an edit of a file: scope and lock are its guards', expect: 'allow' },
  ],
};
