// The plugin that opencode loads: plain JavaScript without dependencies, in opencode's own process. It asks through the hook
// client, and what is not a clear answer throws, which is how a plugin denies a call.

import type { WirePaths, WrittenHooks } from '../adapter.ts';
import { clientRunner, DECISION, hookArguments, NOTICE, type HookTiming, WALL_AGENT, WALL_HOME, WALL_SESSION } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

/** The first line identifies a file of ours. */
export const FIRST_LINE = '// Countersign: written by `countersign init`, taken away by `countersign init --undo`.';

export function pluginText(paths: WirePaths): string {
  // The event comes last, and from the plugin.
  const request = (timing: HookTiming) =>
    hookArguments({ agent: 'opencode', event: '', timing, readTools: READ_TOOLS }, paths).slice(0, -1);
  const constant = (name: string, value: unknown) => `const ${name} = ${JSON.stringify(value)};`;
  return [
    FIRST_LINE,
    constant('BASH', paths.bash ?? 'bash'),
    constant('RUNNER', runnerFor(paths)),
    constant('PROGRAM', paths.hookClient),
    constant('DECIDES', request(DECISION)),
    constant('TELLS', request(NOTICE)),
    constant('MAY_BE_ABSENT', paths.optional === true),
    constant('OBSERVES', paths.observe === true),
    constant('PATIENCE_MS', DECISION.timeout * 1_000),
    // What the wall program needs to know of every command; null: there are no walls.
    constant(
      'WALL',
      paths.wall === undefined ? null : { [WALL_AGENT]: 'opencode', ...(paths.home === null ? {} : { [WALL_HOME]: paths.home }) },
    ),
    constant('WALL_SESSION', WALL_SESSION),
    BODY,
  ].join('\n');
}

/** A client that is missing or broken ends with 2 and a reason, which throws. */
function runnerFor(paths: WirePaths): string {
  const runs = clientRunner({ timing: DECISION }, {});
  return paths.optional ? `command -v "$0" >/dev/null 2>&1 || { echo "{}"; exit 0; }; ${runs}` : runs;
}

export const writtenHooks = (text: string): WrittenHooks => ({
  failClosed: [true, undefined].some((optional) =>
    text.includes(`const RUNNER = ${JSON.stringify(runnerFor({ hookClient: '', cli: '', home: null, ...(optional && { optional }) }))};`),
  ),
  observe: text.includes('const OBSERVES = true;'),
});

const BODY = `
import { spawn } from 'node:child_process';

/** The gate's answer. Rejects when there is none, or none that can be read. */
const ask = (event, payload, args) =>
  new Promise((resolve, reject) => {
    const client = spawn(BASH, ['-p', '-c', RUNNER, PROGRAM, ...args, event], { stdio: ['pipe', 'pipe', 'pipe'] });
    const late = setTimeout(() => client.kill('SIGKILL'), PATIENCE_MS);
    let out = '';
    let err = '';
    client.stdout.on('data', (chunk) => (out += chunk));
    client.stderr.on('data', (chunk) => (err += chunk));
    client.stdin.on('error', () => {});
    client.on('error', (error) => {
      clearTimeout(late);
      if (MAY_BE_ABSENT && error.code === 'ENOENT') resolve({});
      else reject(new Error('Countersign DAEMON_UNAVAILABLE: the gate cannot be asked (' + error.message + '), so nothing may be done.'));
    });
    client.on('close', (code) => {
      clearTimeout(late);
      try {
        const answer = JSON.parse(out);
        if (code === 0 && answer !== null && typeof answer === 'object' && !Array.isArray(answer)) return resolve(answer);
      } catch {}
      reject(new Error(err.trim() || 'Countersign DAEMON_UNAVAILABLE: the gate gave no answer, so nothing may be done.'));
    });
    client.stdin.end(JSON.stringify(payload));
  });

/** Messages only: nothing depends on them. */
const tell = (event, payload) => ask(event, payload, TELLS).catch(() => ({}));

/** A quick answer needs no words; one that takes longer waits for a human. */
const NOTICE_AFTER_MS = 1500;

export const Countersign = async ({ directory, client }) => {
  /** On the agent's own screen, where it has one; nothing depends on it. */
  const whileWaiting = async (what, asked) => {
    const message = 'Waits for you: ' + what.slice(0, 120) + ' (countersign approve, or countersign watch, in another terminal)';
    const timer = setTimeout(async () => {
      try {
        await client?.tui?.showToast?.({ body: { title: 'Countersign', message, variant: 'warning' } });
      } catch {}
    }, NOTICE_AFTER_MS);
    return asked.finally(() => clearTimeout(timer));
  };
  const parents = new Map();
  const begun = new Set();
  const known = new Map();
  const contexts = new Map();
  let shell;

  /** A sub-agent has a session of its own below its parent's. */
  const rootOf = (id) => {
    let at = id;
    for (let depth = 0; parents.has(at) && depth < 100; depth++) at = parents.get(at);
    return at;
  };
  const base = (id) => ({
    session_id: rootOf(id),
    cwd: directory,
    ...(rootOf(id) === id ? {} : { agent_id: id }),
    ...known.get(id),
  });

  return {
    // All settings together, as the client uses them.
    config: async (settings) => {
      shell = settings?.shell;
    },
    'shell.env': async ({ sessionID }, { env }) => {
      if (WALL !== null && sessionID) Object.assign(env, WALL, { [WALL_SESSION]: rootOf(sessionID) });
    },
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {};
      if (event.type === 'session.created' && info?.parentID) parents.set(info.id, info.parentID);
      if (event.type === 'session.idle' && !parents.has(sessionID) && begun.has(sessionID)) await tell('session.idle', base(sessionID));
    },
    'chat.message': async ({ sessionID, agent, model, messageID }, { message, parts }) => {
      const modelID = model?.modelID ?? message?.model?.modelID;
      const name = agent ?? message?.agent;
      known.set(sessionID, { ...(name ? { agent: name } : {}), ...(modelID ? { model: modelID } : {}) });
      if (parents.has(sessionID)) return;
      const texts = [];
      if (!begun.has(sessionID)) {
        begun.add(sessionID);
        texts.push((await tell('session.created', base(sessionID))).context);
      }
      const prompt = (parts ?? []).flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\\n');
      const id = messageID ?? message?.id;
      texts.push((await tell('chat.message', { ...base(sessionID), ...(id ? { message_id: id } : {}), prompt })).context);
      contexts.set(sessionID, texts.filter((text) => typeof text === 'string').join('\\n'));
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const context = contexts.get(rootOf(sessionID));
      if (context) system.push(context);
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const uses = typeof shell === 'string' ? { shell } : {};
      const payload = { ...base(sessionID), ...uses, tool_name: tool, tool_use_id: callID, tool_input: args ?? {} };
      const asked = whileWaiting(String(args?.command ?? tool), ask('tool.execute.before', payload, DECIDES));
      const { deny } = await (OBSERVES ? asked.catch(() => ({})) : asked);
      if (deny !== undefined) throw new Error(String(deny));
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const { context } = await tell('tool.execute.after', {
        ...base(sessionID),
        tool_name: tool,
        tool_use_id: callID,
        tool_input: args ?? {},
        tool_response: output,
      });
      if (typeof context === 'string' && typeof output?.output === 'string') output.output += '\\n' + context;
    },
  };
};
`;
