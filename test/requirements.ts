// What must be true of Countersign, one row an id. Tests cite rows with `verifies`; ids are never renumbered or given to another row.
// E: compliance gate. T: agent contract. I: intent, action, code. G: controller. C: grounding, tools, conference. N: beyond these.
// Names, codes and fixed strings are contract and stay to the letter.

export interface Requirement {
  readonly says: string;
  /** Reserved; nothing is built yet. */
  readonly later?: true;
}

export const REQUIREMENTS = {
  E1: { says: 'The last recall of a session is kept: its time, its number of results, and if its token can still be spent.' },
  E2: {
    says: 'A recall that succeeds (`elefanteMemorySearch`, `memory_query`, `memory_recent`, `begin_work`, a context pack) gives a new one-use token even with no results; a failing one gives none.',
  },
  E3: {
    says: '`elefanteAssertCompliance` spends a good token for `{"status":"PASS","stamp":…}`; with none it answers `{"status":"FAIL","message":…}` in fixed words.',
  },
  E4: { says: 'Both stamp texts are the fixed ones, with the true number of results.' },
  E5: {
    says: 'Stamps resist forgery by an id tied to session, turn and receipt, and `countersign verify-stamp` exposes one that was copied, changed or used again.',
  },
  E6: {
    says: 'Agents are instructed, by the MCP prompt `elefante-grounding` and by files that `init` writes such as `.github/copilot-instructions.md`, to ask for stamps, never to type one, and to finish with `signal_task_complete`.',
  },
  E7: {
    says: 'On each door that has the means, an agent without recall gets FAIL, one with a recall PASS, and a second stamp from the same recall FAIL.',
  },
  E8: {
    says: 'An agent with a stop hook cannot stop unstamped: it hears what to do instead, no more often than it lets itself be refused.',
  },

  T1: {
    says: 'Agents find `memory_query`, `memory_recent`, `memory_set_mode`, `memory_write`, `task_list`, `task_add`, `task_update`, `task_complete` and `memory_check_task_authority`, each with a schema and a result that can be understood.',
  },
  T2: { says: 'A session is in one of PASSIVE, GUARDED and STRICT, never in two, and looking (recall included) is free in each.' },
  T3: {
    says: 'R1: outside PASSIVE a change follows a recall, and that the result was received, if only an empty one, stands on the record.',
  },
  T4: {
    says: 'R4: changing needs a declared mode; of the four conditions, taken in their fixed order, a refusal names the first that is not met.',
  },
  T5: {
    says: 'For a workspace or an intent, humans put a floor under the mode (GUARDED, STRICT) or fix it at PASSIVE; agents may only rise or drop to PASSIVE, and silence counts as PASSIVE.',
  },
  T6: {
    says: 'R2: work that is observed to have several steps (declared steps, todo tool, task_add, plan nodes) needs `tinyTasks.md` in the given template; until then a change is refused with the way to make the file, and plans stay out of replies.',
  },
  T7: {
    says: 'R3: under `tinyTasks.md` only the first open subtask may be worked on; jumping ahead, reordering, rewording and made-up progress are refused, and with nothing open the agent stops and asks.',
  },
  T8: {
    says: '`tinyTasks.md` is read strictly as two ordered levels; tasks keep their identity when lines move, edits by humans stand, and a broken file is reported by line with no content lost.',
  },
  T9: {
    says: 'R5: memory has one way in, its tool. A fact needs `file_exists`, `grep_hit`, `cmd_exit0`, `test_pass` or a citation that was checked; decisions and constraints need a reason.',
  },
  T10: {
    says: 'R6: doubt leaves only looking. With a throwing policy, a store that is down or no daemon, changes are refused and reads go on.',
  },
  T11: { says: 'Violations outlive a restart, and people get lists and counts of them per rule, per agent and per session.' },
  T12: { says: 'A required tool that keeps failing gets two retries, and then the agent has to stop and turn to a human.' },
  T13: {
    says: 'The R1–R5 checklist at the end of a response that changed something comes from receipts and not from what the agent says.',
  },

  I1: {
    says: '`select_active_intent(intent_id)` validates the id and answers with an `<intent_context>` of scope, constraints, acceptance criteria and the latest trace.',
  },
  I2: {
    says: 'Changing something without a valid active intent is answered by `You must cite a valid active Intent ID before mutating tools.`',
  },
  I3: {
    says: 'Intents live in `.orchestration/active_intents.yaml` as `id, name, status, owned_scope[], constraints[], acceptance_criteria[]`; machine writes keep comments and order, and errors give the line.',
  },
  I4: {
    says: '`.orchestration/agent_trace.jsonl` only grows, each line fits the public Agent Trace 0.1.0 schema and carries intent or spec references, contributor, true model id, hashed line ranges and VCS revision.',
  },
  I5: {
    says: '`.orchestration/intent_map.md` shows people which files, symbols and lines belong to which intent, and the machine keeps it up on INTENT_EVOLUTION and when a scope changes.',
  },
  I6: {
    says: 'Decisions, lessons and repeated failures go into a marked block of `AGENT.md`, or of the `CLAUDE.md` or `AGENTS.md` that is there; no byte outside the block changes.',
  },
  I7: {
    says: 'Before an action: intent present, intent valid, scope, risk class, human approval, optimistic lock. After it: trace, mutation class, artefacts, quality loop.',
  },
  I8: {
    says: 'Refusals have the form `{error_code, message, recoverable, required_action}` with a remedy that works from that state and the other missing things; agents request wider scope by a tool, humans grant it.',
  },
  I9: { says: 'Scope is judged by where a path really leads: no traversal, link, letter case, unicode form, hard link or race leaves it.' },
  I10: {
    says: 'Writing on top of an outdated read gives `STALE_FILE` until the file is read again; of two agents at one file exactly one succeeds; rewriting a large file whole draws advice to edit in place.',
  },
  I11: {
    says: 'A parser of the shell decides between SAFE, MUTATING and DESTRUCTIVE; what it cannot prove is not SAFE, and DESTRUCTIVE needs a human to Approve or Reject.',
  },
  I12: { says: 'Writing by a shell command is bound by scope, lock and trace exactly as editing is.' },
  I13: {
    says: 'An approval fits one exact action under one policy revision, counts once, expires, waits in a single inbox through restarts, and is answered in the page, VS Code or the CLI, never by the agent that needs it.',
  },
  I14: { says: 'Comparing the syntax trees of both versions tells AST_REFACTOR from INTENT_EVOLUTION.' },
  I15: {
    says: 'After writes the formatter, linter and tests of the workspace run, and what they find reaches the agent as structure, free of failures that were there before.',
  },
  I16: {
    says: 'Repeating one refusal or failure trips a breaker that asks a human; it neither lets the action through nor leaves the agent stuck.',
  },
  I17: {
    later: true,
    says: 'As a gateway, an MCP client offers the tools of other servers behind the same gate and holds a tool whose schema is no longer the approved one.',
  },
  I18: {
    later: true,
    says: 'A supervisor hands workers a reduced scope and a short context; separate scopes run side by side, and overlapping ones are turned down at the start.',
  },
  I19: {
    says: 'In VS Code an extension shows intents, approvals, trace and receipts; its webview only displays, the trusted side decides, and confirmations are native where there are any.',
  },
  I20: { says: 'One test plays the demo of section 12 and checks the acceptance criteria of section 11.' },

  G1: {
    says: 'JSON-RPC 2.0 as NDJSON over stdio offers `initialize`, `tools/list`, `tools/call` and `ping` at protocol `2025-11-25` or a newer one both sides know, and the runtime starts with the first `tools/call`.',
  },
  G2: {
    says: '`controller_turn` is the only tool; its request and response have the given envelopes, and no field that is always due is ever absent.',
  },
  G3: {
    says: 'Runs move between their states only as the transition table allows, and each state admits its verbs, budget-safe ones before all else.',
  },
  G4: { says: 'Each of the 18 verbs does what it is for, and a denial for missing arguments lists them.' },
  G5: { says: 'Responses describe the verbs of the present state in `verbDescriptions`, and denials always bring a `suggestedAction`.' },
  G6: {
    says: '`submit_execution_plan` assembles a context pack of nine sections, active memories among them, with hash and ref; failing that, `pack_insufficient` names missing anchors, an escalation plan and blocked commands.',
  },
  G7: {
    says: 'A PlanGraph passes six checks over its envelope, node kinds and common fields, and memory rules report on it; tests reach all PLAN_* codes, and what the server knows need not be sent.',
  },
  G8: { says: 'Evidence meets the minimum of its category from distinct sources, or takes the guarded path for a single one.' },
  G9: {
    says: 'A node runs only after those in its `dependsOn`, and a `validate` node counts as done only by hooks that were run and succeeded.',
  },
  G10: {
    says: '`apply_code_patch` offers `replace_text`, four codemods and registered ones, and stays within the file and symbols of the approved node.',
  },
  G11: {
    says: '`run_sandboxed_code` runs an async IIFE that cannot get out, with limits on time and memory, declared inputs and a checked result that is no placeholder.',
  },
  G12: {
    says: 'With a commit gate that a human has opened, `execute_gated_side_effect` does the thing itself: git commit, branch, tag or push, a command, HTTP to a listed host; an agent saying that the gate is open does nothing.',
  },
  G13: { says: 'Every node leaves a bundle of five artefact files.' },
  G14: { says: 'Leases on side effects, graph, symbols and files keep work from colliding, and end by release or by time.' },
  G15: {
    says: 'Memory has its dimensional records, lifecycle, three entry points, folder anchors, rotating friction ledger, changelog and all settings, and only humans write its overrides folder.',
  },
  G16: {
    says: 'What was learnt acts: as few-shots in `trace_symbol_graph`, rules on plans, signals for the choice of strategy, notes in packs.',
  },
  G17: { says: '`signal_task_complete` answers with a retrospective: digest, status, statistics, suggestions.' },
  G18: {
    says: 'From the context signature one of four strategy classes follows, five triggers switch it, and the same input gives the same choice with its reasons.',
  },
  G19: {
    says: 'Proof chains for ag-Grid origin and federation are found in real Angular code, and fall back where it does not show them.',
  },
  G20: {
    says: 'Connectors for Jira and OpenAPI/Swagger read their PAT from a file, retry, back off, limit their rate, cache, trace and normalize errors, as shown against a live HTTP server.',
  },
  G21: { says: 'Retrieval has five lanes and a reranking, all lexical and without embeddings.' },
  G22: {
    says: 'Recipes (`replace_lexeme_in_file`, `run_targeted_validation`, and more by manifest) run by `recipeId` with validated parameters and nothing else, and their use is an event.',
  },
  G23: { says: 'Events are stored and served to a dashboard, by SSE too, on port 8722 unless configured otherwise.' },
  G24: { says: 'There are 17 rejection codes, and for each a test that provokes it.' },
  G25: {
    says: 'Of 100,000 tokens, counted as request size ÷ 4, 60 % may be used before the run is blocked; budget-safe verbs go on, and a human may add tokens.',
  },
  G26: { says: 'Config comes in layers and is validated; what is wrong is named by file and key.' },
  G27: {
    says: 'TypeScript/JavaScript, Angular templates, JSON, YAML, Markdown and the usual other languages are indexed, and a file that does not parse becomes an event while the index carries on.',
  },
  G28: {
    says: 'The graph is embedded, or Neo4j over bolt by config; it is dropped, constrained, filled from `.ai/graph/seed/**/*.jsonl` and exported as deltas, and seed rows keep their invariants.',
  },
  G29: { says: 'Golden tasks exist, with a harness that measures them.' },
  G30: { says: 'Hints for sub-agents split the work along disjoint sets of files that the plan really has.' },
  G31: { says: 'The eight sections of the harness are tests on real stdio, started from the root by `node test-mcp-harness.mjs`.' },
  G32: { says: 'Browser automation is there as contracts behind a flag that is off, and says so when called.' },

  C1: {
    says: 'Tool calls are a single JSON object and nothing around it; any other form, field, key or nonce executes nothing and is warned of as `STOP_HOOK: tool_call_rejected` with one of five codes or `tool_call_output_limit`, while braces and fences inside strings pass as data.',
  },
  C2: { says: 'Known aliases fix tool ids, arguments and the spelling of keys, and never turn a call into one of another meaning.' },
  C3: {
    says: 'Nine tools take their exact arguments and analyse the files that are there; `canon_checker` wants canon files, and `outline_analyzer` finds its file by the VFS.',
  },
  C4: {
    says: 'The tool loop keeps its budgets of steps and bytes, tier caps, conference floor, decision JSON, forced final, `toolPolicy` and `skipTools`, one agent turn at a time; its prompt has `TOOL_NONCE` and `TOOL_CALL_REQUIRED`, the latter set by `requireTool` or by known phrases.',
  },
  C5: {
    says: 'Models behind the OpenAI form of API (LM Studio, Ollama, hosted) get `response_format: json_schema`; reasoning tags are cut out, and no key goes to a client.',
  },
  C6: {
    says: 'All tool runs, failed and unknown ones too, have a receipt with the listed fields and an id from the server, checked whenever it is read.',
  },
  C7: {
    says: 'The server checks a single Evidence line (bold allowed) for claim type, quote against file, structure and absence rules, role sources and existing receipts, refuses reasoning prefaces and tool syntax in prose, for tasks and conferences as for chats; one repair with offered quotes is tried and both versions stay.',
  },
  C8: {
    says: 'The VFS shows a tree where the outline is the one of the outline API at its path, and `Canon.md`, made from the canon index, is at the root.',
  },
  C9: { says: 'A model extracts the canon index, a fixed procedure compiles it, and endpoints start it and tell how far it is.' },
  C10: {
    says: 'A conference has its Chief: put in by the page, demanded by the server, and cannot be removed. Tools run once in phase 1, interpretation in phase 2 is isolated, injected text is framed, ABSTAIN and muting work, and closing a round files an issue with transcript and receipts and clears buffers and history.',
  },
  C11: {
    says: 'Cards show their states in the given colours and words; a person sees one chat whose dividers say that agents begin again, and can talk to one agent alone.',
  },
  C12: { says: 'Telemetry counts tokens in buckets, as totals and by session.' },
  C13: { says: 'Each listed REST endpoint answers.' },
  C14: { says: 'Prompts and tools are looked up as global → user → project, and overriding a core tool warns.' },
  C15: { says: 'Registries hold agents and endpoints; issues can be filtered in the given ways; credits and notifications are kept.' },
  C16: {
    says: 'Task packets are validated and executed, their receipts stored, and invalid output stops with `STOP_HOOK` and the reason.',
  },
  C17: {
    says: 'Pipelines follow recipes of phases, slots and references up to their definition of done; they are started, listed, polled, cancelled, cached and seen step by step, and after a crash go on at the same point.',
  },
  C18: { says: 'Receipts can be looked at in the page.' },
  C19: { says: 'The acceptance and smoke tests given for this part all exist and pass.' },

  N1: {
    says: 'The one gate has adapters for Claude Code, VS Code/Copilot, Copilot CLI, Cursor, Gemini CLI, Codex, opencode, Cline and Qwen Code; `countersign init` sets them up and `countersign doctor` shows each of them firing.',
  },
  N2: {
    says: 'The ledger is a hash chain with Ed25519 signatures and checkpoints; from files and public key alone `countersign verify` finds, and places, a flipped byte or a line dropped, swapped or inserted.',
  },
  N3: {
    says: '`countersign blame FILE[:LINE]` leads from a line to intent, plan, receipt, agent and model, even when it was moved, renamed, reformatted or rebased.',
  },
  N4: {
    says: '`countersign check` guards a merge: for a branch or range it reports changes without receipt or out of scope, stale claims and checks that predate the last edit, with an exit code for CI and in-toto/DSSE export.',
  },
  N5: {
    says: 'Tree and receipts are compared at the end of each turn and ahead of each commit, and a difference becomes `UNTRACKED_MUTATION`, no matter what made it.',
  },
  N6: {
    says: 'VERIFIED, CITED, STALE, ASSERTED and REFUTED are computed, VERIFIED only where a check tested what the statement says; changed lines make the evidence and memory that cite them stale, and an agent can talk no status up.',
  },
  N7: {
    says: 'A property test runs the remedy of every refusal from the state it was given in; looking, status, escalation and abandoning are always open, and equal refusals lead to NEEDS_HUMAN.',
  },
  N8: { says: 'Replaying the ledger under another policy or config lists the decisions that come out differently.' },
  N9: {
    later: true,
    says: 'Teams govern one workspace from several machines with PostgreSQL and a code graph in Neo4j, and all backends pass one contract suite.',
  },
  N10: {
    later: true,
    says: 'One command sends scripted lazy and hostile agents through all doors and publishes how many bypasses were caught and how much good work was blocked.',
  },
  N11: {
    says: 'No governed tool, at any level, touches governance files, hook configuration or keys; changes from outside are noticed where possible, and the level in force is shown with its gaps.',
  },
  N12: { says: 'A sealed agent has a worktree in an OS sandbox, and its work is merged by the gate alone.' },
  N13: { later: true, says: 'OpenTelemetry is exported by the GenAI conventions.' },
  N14: {
    says: 'To approve is to countersign the exact action with the key of a human, by passkey in the page or a passphrase-protected key in the CLI, and the record tells how, or that not, the human was proven.',
  },
  N15: {
    says: 'One `begin_work` call meets R1–R4 and intent; GUARDED adds no more than a call per prompt, a first allowed edit comes within a minute and two human actions of installing, and `countersign intent "…" PATHS` makes an intent active at once.',
  },
  N16: {
    says: 'After `init --observe` verdicts are recorded but nothing is stopped or counted as enforced; `countersign stats` shows what would have been stopped and how to begin, measured from the adoption commit.',
  },
  N17: {
    says: '`countersign undo` previews and then takes back what an action, a turn, a session or an intent did, in the shell too, by a receipt of its own; later changes of a human stay and are listed.',
  },
  N18: {
    says: 'A proven human may `pause` the gate or `ack` a change; both leave a labelled gap on the record and, as far as that can be known, cannot be done from below an agent.',
  },
  N19: {
    says: 'CLAUDE.md, AGENTS.md, .cursorrules, Copilot instructions and Claude permissions import as pending constraints and command rules; GitHub, Jira and Linear exports and spec-kit folders as proposed intents.',
  },
  N20: {
    says: 'Admitted shell commands of an agent with a seam for it run inside OS walls: outside the scope no existing file changes, keys and secrets are unreadable, hosts that were not granted unreachable, whatever the text; the user’s own rules stay in force.',
  },
  N21: {
    says: 'What waits for a human is one list in the terminal and on the page, each with its answers; a yes takes effect or says why not, and a pause releases nothing that waits.',
  },
  N22: {
    says: 'No change lands in an agent that can be stopped at all when the hook client is deleted, emptied, not executable or answered by a stranger, or when the daemon is gone, silent, slow or raving.',
  },
  N23: {
    says: 'Agents reach the code index (`find_symbol`, `find_references`, `search_code`, `code_graph`); what it answers is cited in the form that plans and claims accept.',
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof REQUIREMENTS;

export const requirementIds = Object.keys(REQUIREMENTS) as RequirementId[];
