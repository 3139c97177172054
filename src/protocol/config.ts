// The settings that humans keep in `.ai/config`: base for everyone, repo for this repository, env.local for this machine. The reader is in
// `workspace`.

import { z } from 'zod';
import { Proof } from './intent.ts';
import { DEFAULT_MEMORY_SETTINGS, MEMORY_FIELDS } from './memory-settings.ts';
import { DEFAULT_EVIDENCE_POLICY, EvidencePolicy } from './plan.ts';

export const CONFIG_LAYERS = ['.ai/config/base.json', '.ai/config/repo.json', '.ai/config/env.local.json'] as const;

/** A command, several, or true: whatever the workspace's own files name. False and null: none. */
const check = z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.boolean()]).nullable();
const globs = z.array(z.string().min(1));
const TokenFile = z.string().regex(/^\.ai\/auth\/[A-Za-z0-9._-]+$/, 'is a file below .ai/auth');

/** A host with its port, as an address names it. */
const Host = z
  .string()
  .regex(/^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/, 'is a host such as api.example.com, or with a port such as 10.0.0.5:8080');

export const WallLevel = z.enum(['off', 'on', 'required']);
export type WallLevel = z.infer<typeof WallLevel>;
/** What `on` was called when walls were new. */
const EARLIER_ON = 'preferred';

export const Config = z.strictObject({
  mode: z.strictObject({
    /** The least that an agent may declare, short of PASSIVE. */
    minimum: z.enum(['GUARDED', 'STRICT']).nullable(),
    /** Limits every agent to observation. */
    pin: z.literal('PASSIVE').nullable(),
  }),
  approvals: z.strictObject({
    ttlSeconds: z
      .int()
      .min(1)
      .max(30 * 24 * 3600),
    /** Null: the strongest proof that is enrolled. */
    destructiveProof: Proof.nullable(),
  }),
  commands: z.strictObject({
    /** Whether commands that the gate runs may use the network. */
    network: z.boolean(),
    /** Commands that STRICT does not ask about. */
    allow: z.array(z.string().min(1)),
  }),
  walls: z.strictObject({
    /** Whether agents' own commands run behind walls: never, where it works, or not at all without. */
    level: z.preprocess((said) => (said === EARLIER_ON ? 'on' : said), WallLevel),
    /** Places that walls would hide and a build needs, such as `~/.aws` or `/run/postgresql`. */
    readable: globs,
    /** Places outside the work tree that a build changes, such as `~/.cache/ms-playwright`. */
    writable: z.array(z.string().regex(/^~?\/./, 'an absolute path, or one below the home that begins with ~/')),
    /** Hosts that every command may reach. */
    hosts: globs,
  }),
  /** How a person learns that something waits for them. */
  notify: z.strictObject({
    /** By `notify-send`, from the daemon. */
    desktop: z.boolean(),
    /** The bell of the terminal where `countersign watch` runs. */
    bell: z.boolean(),
  }),
  quality: z.strictObject({ format: check, lint: check, typecheck: check, test: check }),
  paths: z.strictObject({
    /** Writable and summarised, but not traced. */
    derived: globs,
    /** Files that follow the scope of another: from a manifest's name to the names beside it. */
    companions: z.record(z.string().min(1), globs),
  }),
  ledger: z.strictObject({
    /** Null: kept for ever. */
    retentionDays: z.int().min(1).nullable(),
  }),
  /** The least that a plan's changes rest on. */
  evidencePolicy: EvidencePolicy.omit({ lowEvidenceGuardRules: true }),
  budget: z.strictObject({
    /** Of a run of the controller; a human can grant more. */
    maxTokens: z.int().min(1_000).max(100_000_000),
  }),
  memory: z.strictObject(MEMORY_FIELDS),
  graph: z.strictObject({
    /** Null: the embedded graph alone. The password is in `.ai/auth/neo4j.token`. */
    neo4j: z
      .strictObject({
        address: z.string().min(1).optional(),
        user: z.string().min(1).optional(),
        database: z.string().min(1).nullable().optional(),
      })
      .nullable(),
  }),
  roots: z.strictObject({
    /** Folders of the work tree that are looked at; null: all of it. */
    worktree: globs.nullable(),
  }),
  ingestion: z.strictObject({ include: globs, exclude: globs }),
  angular: z.strictObject({ projects: globs }),
  federation: z.strictObject({ manifests: globs }),
  parsers: z.strictObject({ disabled: z.array(z.string().min(1)) }),
  auth: z.strictObject({
    /** Where the token is; never the token. */
    jira: TokenFile,
    swagger: TokenFile.nullable(),
  }),
  connectors: z.strictObject({
    /** The address of the Jira server; null: there is none. The token of `auth.jira` goes there alone. */
    jira: z.url({ protocol: /^https?$/ }).nullable(),
    /** Hosts that API descriptions may be fetched from. */
    specHosts: z.array(Host),
    /** The one of them that gets the token of `auth.swagger`. */
    specTokenHost: Host.nullable(),
    /** Which hosts are in the local network: every other name has to lead to a public address. */
    localHosts: z.array(Host),
    requestsPerMinute: z.int().min(1).max(6_000),
  }),
  recipes: z.strictObject({ manifest: z.string().min(1).nullable() }),
  dashboard: z.strictObject({ port: z.int().min(1).max(65_535).nullable() }),
  features: z.strictObject({ browserAutomation: z.boolean() }),
});
export type Config = z.infer<typeof Config>;

/** One layer: any part of the settings. `$schema` is for editors. */
export const ConfigLayer = z.strictObject({
  $schema: z.string().optional(),
  mode: Config.shape.mode.partial().optional(),
  approvals: Config.shape.approvals.partial().optional(),
  commands: Config.shape.commands.partial().optional(),
  walls: Config.shape.walls.partial().optional(),
  notify: Config.shape.notify.partial().optional(),
  quality: Config.shape.quality.partial().optional(),
  paths: Config.shape.paths.partial().optional(),
  ledger: Config.shape.ledger.partial().optional(),
  evidencePolicy: Config.shape.evidencePolicy.partial().optional(),
  budget: Config.shape.budget.partial().optional(),
  memory: Config.shape.memory.partial().optional(),
  graph: Config.shape.graph.partial().optional(),
  roots: Config.shape.roots.partial().optional(),
  ingestion: Config.shape.ingestion.partial().optional(),
  angular: Config.shape.angular.partial().optional(),
  federation: Config.shape.federation.partial().optional(),
  parsers: Config.shape.parsers.partial().optional(),
  auth: Config.shape.auth.partial().optional(),
  connectors: Config.shape.connectors.partial().optional(),
  recipes: Config.shape.recipes.partial().optional(),
  dashboard: Config.shape.dashboard.partial().optional(),
  features: Config.shape.features.partial().optional(),
});

export type ConfigLayer = z.infer<typeof ConfigLayer>;

export const DEFAULT_CONFIG: Config = {
  mode: { minimum: null, pin: null },
  approvals: { ttlSeconds: 900, destructiveProof: null },
  commands: { network: false, allow: [] },
  walls: { level: 'on', readable: [], writable: [], hosts: [] },
  notify: { desktop: false, bell: false },
  quality: { format: true, lint: true, typecheck: true, test: true },
  // What every workspace has is known by name; these are more.
  paths: { derived: [], companions: {} },
  ledger: { retentionDays: null },
  evidencePolicy: {
    minRequirementSources: DEFAULT_EVIDENCE_POLICY.minRequirementSources,
    minCodeEvidenceSources: DEFAULT_EVIDENCE_POLICY.minCodeEvidenceSources,
    minPolicySources: DEFAULT_EVIDENCE_POLICY.minPolicySources,
    allowSingleSourceWithGuard: DEFAULT_EVIDENCE_POLICY.allowSingleSourceWithGuard,
    distinctSourceDefinition: DEFAULT_EVIDENCE_POLICY.distinctSourceDefinition,
  },
  budget: { maxTokens: 100_000 },
  memory: DEFAULT_MEMORY_SETTINGS,
  graph: { neo4j: null },
  roots: { worktree: null },
  ingestion: { include: [], exclude: [] },
  angular: { projects: [] },
  federation: { manifests: [] },
  parsers: { disabled: [] },
  auth: { jira: '.ai/auth/jira.token', swagger: null },
  connectors: { jira: null, specHosts: [], specTokenHost: null, localHosts: [], requestsPerMinute: 60 },
  recipes: { manifest: null },
  dashboard: { port: null },
  features: { browserAutomation: false },
};
