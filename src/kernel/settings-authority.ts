// The settings' files, by the same rule as the intents file: what grants less holds at once; what grants more is accepted when no agent was
// present and STRICT did not ask for more, otherwise it waits for a human. The accepted values are in the ledger.

import { settingsSha256 } from '../ledger/index.ts';
import { type Config, DEFAULT_CONFIG, type Event, Fault, type Human, streams } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import type { CallerJudgement } from './caller.ts';
import type { Circumstances } from './document-authority.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { EventLog } from './ports.ts';
import type { Basis } from './positions.ts';
import { type Recorded, recordNote } from './settle.ts';
import { configOf, differing, inForce, meetOf, sameValue, type SettingValues, settingValues } from './settings-rules.ts';
import type { State } from './state.ts';

const BY_FILE: Human = { proof: 'none', via: 'file' };

export class SettingsAuthority {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly refuse: Authority['refuse'];

  constructor(log: EventLog, state: State, refuse: Authority['refuse']) {
    this.log = log;
    this.state = state;
    this.refuse = refuse;
  }

  /** What the settings' files say now. */
  observe(workspace: string, root: string, config: Config, how: Pick<Circumstances, 'agentPresent' | 'byGit'>): Promise<Recorded> {
    return this.withFreshSettings(workspace, (basis) => this.recordObserved(workspace, root, config, how, basis));
  }

  private recordObserved(
    workspace: string,
    root: string,
    config: Config,
    how: Pick<Circumstances, 'agentPresent' | 'byGit'>,
    basis: Basis,
  ): Promise<Recorded> {
    const { documents } = this.state;
    const known = documents.settingsOf(root)?.values ?? null;
    const said = settingValues(config);
    // Completed: an older version did not know every key, and may have called a value otherwise.
    const held = known === null ? this.heldBefore(workspace, root, said, how.agentPresent) : settingValues(configOf(known));
    const waited = documents.waitingSettings(root)?.values ?? {};
    const strict = configOf(held).mode.minimum === 'STRICT';
    // What an agent may have written has not become a human's because the agent has left since.
    const isDoubtful = (key: string) => how.agentPresent || strict || (Object.hasOwn(waited, key) && sameValue(waited[key], said[key]));
    const taken = meetOf(held, said, isDoubtful);
    const waits = differing(taken, said);
    // Git took it away, and a checkout will bring it back: that it does not hold meanwhile is not recorded.
    const isPostponed = known !== null && how.byGit && how.agentPresent;
    const takes = known === null || (!isPostponed && Object.keys(differing(known, taken)).length > 0);
    const events: Event[] = takes ? [{ type: 'settings_taken', data: { workspace, root, settings: { ...taken }, human: BY_FILE } }] : [];
    if (takes ? Object.keys(waits).length > 0 : !sameValue(waits, waited)) {
      const reason = how.agentPresent
        ? 'it was edited while an agent was present'
        : strict
          ? 'STRICT asks a human'
          : 'an agent may have written it';
      events.push({ type: 'settings_edit_waiting', data: { workspace, root, settings: { ...waits }, reason } });
    }
    return recordNote(
      this.log,
      events.map((event) => ({ stream: streams.modes(workspace), event })),
      events.map(({ type }) => type),
      null,
      basis,
    );
  }

  /** `shown`: of what waits, as the human has seen it. `config`: what the files say now. */
  confirm(caller: CallerJudgement, workspace: string, root: string, config: Config, shown: string): Promise<Recorded> {
    return this.withFreshSettings(workspace, (basis) => this.recordConfirmed(caller, workspace, root, config, shown, basis));
  }

  private async recordConfirmed(
    caller: CallerJudgement,
    workspace: string,
    root: string,
    config: Config,
    shown: string,
    basis: Basis,
  ): Promise<Recorded> {
    const { documents, approvers } = this.state;
    const waits = documents.waitingSettings(root)?.values;
    if (!waits)
      throw new Fault('NOT_FOUND', 'No edit of the settings waits in this work tree.', { fix: 'countersign settings shows them' });
    const said = settingValues(config);
    const judged = documents.dialOf(root)?.minimum === 'STRICT' ? approvers.demand(caller) : caller;
    if (judged.kind !== 'human') return this.refuse(judged, 'settings confirm');
    if (shown !== settingsSha256(waits) || !Object.keys(waits).every((key) => sameValue(waits[key], said[key])))
      throw new Fault('CONFLICT', 'The settings do not say what was shown: they have changed since.', {
        fix: 'Look again (countersign status), then confirm what they say now',
      });
    const held = documents.settingsOf(root)?.values ?? settingValues(DEFAULT_CONFIG);
    const data = { workspace, root, settings: { ...held, ...waits }, human: judged.human };
    return recordNote(this.log, [{ stream: streams.modes(workspace), event: { type: 'settings_taken', data } }], null, null, basis);
  }

  /**
   * A human sets one setting: it holds at once, whoever is present. `write` puts it into the file and answers what the files say then; it is only
   * called for a human with the proof that is asked for. Whatever else the files say waits as it did.
   */
  async set(caller: CallerJudgement, workspace: string, root: string, key: string, write: () => Promise<Config>): Promise<Recorded> {
    const judged = this.state.documents.dialOf(root)?.minimum === 'STRICT' ? this.state.approvers.demand(caller) : caller;
    if (judged.kind !== 'human') return this.refuse(judged, 'config set');
    const said = settingValues(await write());
    const name = Object.keys(said).find((each) => each === key || key.startsWith(`${each}.`)) ?? key;
    return this.withFreshSettings(workspace, (basis) => {
      const { documents } = this.state;
      const held = documents.settingsOf(root)?.values ?? settingValues(DEFAULT_CONFIG);
      const settings = { ...settingValues(configOf(held)), [name]: said[name] };
      const waits = differing(settings, said);
      const events: Event[] = [{ type: 'settings_taken', data: { workspace, root, settings, human: judged.human } }];
      if (Object.keys(waits).length > 0)
        events.push({
          type: 'settings_edit_waiting',
          data: { workspace, root, settings: { ...waits }, reason: 'it was not part of what was set' },
        });
      return recordNote(
        this.log,
        events.map((event) => ({ stream: streams.modes(workspace), event })),
        null,
        null,
        basis,
      );
    });
  }

  /** What may be accepted depends on what is in force: another kernel may be recording something stricter. */
  private withFreshSettings(workspace: string, record: (basis: Basis) => Promise<Recorded>): Promise<Recorded> {
    return withFreshFacts(this.log, this.state, () => record(this.state.positions.of(streams.modes(workspace))));
  }

  /**
   * At the first look. Where no agent can have written the files they count as they are, only a pin and a minimum of earlier records still
   * hold. Otherwise what was accepted in another work tree of the repository counts: a new work tree has the same files.
   */
  private heldBefore(workspace: string, root: string, said: SettingValues, agentPresent: boolean): SettingValues {
    const { documents } = this.state;
    const base = agentPresent ? (documents.settingsIn(workspace)?.values ?? settingValues(DEFAULT_CONFIG)) : said;
    const dial = documents.dialOf(root);
    return dial ? { ...base, 'mode.pin': dial.pin, 'mode.minimum': dial.minimum } : base;
  }
}

export interface SettingsInForce {
  /** Throws a DOCUMENT_INVALID fault when the files cannot be read. */
  readonly of: (root: string) => Promise<Config>;
  /** While the files cannot be read: what was accepted last. */
  readonly orAccepted: (root: string) => Promise<Config>;
}

/** The only way to the settings: of what the files say, only what is accepted grants anything. */
export function settingsInForce({ documents }: Pick<State, 'documents'>, read: (root: string) => Promise<Config>): SettingsInForce {
  /** By root. Every action asks several times. */
  const made = new Map<string, { readonly values: SettingValues | null; readonly said: Config; readonly config: Config }>();
  const accepted = (root: string): Config => {
    const values = documents.settingsOf(root)?.values;
    return values ? configOf(values) : DEFAULT_CONFIG;
  };
  const of = async (root: string): Promise<Config> => {
    const said = await read(root);
    const values = documents.settingsOf(root)?.values ?? null;
    const before = made.get(root);
    if (before && before.values === values && before.said === said) return before.config;
    const config = inForce(accepted(root), said);
    made.set(root, { values, said, config });
    return config;
  };
  return { of, orAccepted: (root) => of(root).catch(() => accepted(root)) };
}
