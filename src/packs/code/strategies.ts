// The strategy classes of work on code, the words by which a context is recognised, and the chains that a context needs.

import type { StrategyPack } from '../../plan/index.ts';

export const CODE_STRATEGIES: StrategyPack = {
  name: 'code',
  classes: [
    {
      id: 'migration_adp_to_sdf',
      when: { all: { migrationAdpDetected: true } },
      says: 'ADP is replaced by SDF: every use is found first, and behaviour is compared before and after',
      minimumTestConfidence: 'medium',
      needsContractAnchor: false,
    },
    {
      id: 'ui_aggrid_feature',
      when: { all: { mentionsAgGrid: true } },
      says: 'work on an ag-Grid: the chain from the table to the definition behind it comes first',
      minimumTestConfidence: 'low',
      needsContractAnchor: false,
    },
    {
      id: 'api_contract_feature',
      when: { any: ['hasSwagger', 'contractAnchorPresent'] },
      says: 'work on an API: the operation in its description comes first',
      minimumTestConfidence: 'low',
      needsContractAnchor: true,
    },
    {
      id: 'debug_symptom_trace',
      when: {
        words: [
          ...[
            'bug',
            'error',
            'errors',
            'exception',
            'crash',
            'crashes',
            'fails',
            'failing',
            'broken',
            'wrong',
            'regression',
            'stack trace',
          ],
          ...['does not work', "doesn't work", 'not working', 'undefined is not', 'traceback', 'hangs', 'leak', 'leaks'],
        ],
      },
      says: 'a symptom is traced to its cause: where it shows comes first, then who calls it',
      minimumTestConfidence: 'none',
      needsContractAnchor: false,
    },
    {
      id: 'general_code_change',
      when: {},
      says: 'nothing special was recognised: the files that the plan names come first',
      minimumTestConfidence: 'none',
      needsContractAnchor: false,
    },
  ],
  chains: [
    { when: 'mentionsAgGrid', chain: 'aggrid_origin' },
    { when: 'crossesFederationBoundary', chain: 'federation' },
  ],
  flags: [
    { flag: 'hasJira', words: ['jira'], artifacts: ['jira:'] },
    {
      flag: 'hasSwagger',
      words: ['swagger', 'openapi', 'api contract', 'api spec', 'api specification'],
      artifacts: ['swagger:', 'openapi:'],
      names: ['openapi', 'swagger'],
    },
    {
      flag: 'mentionsAgGrid',
      words: ['ag-grid', 'aggrid', 'ag grid'],
      imports: ['ag-grid', '@ag-grid'],
      labels: ['Table', 'ColumnDef'],
      texts: ['<ag-grid-angular'],
    },
    {
      flag: 'touchesShadowDom',
      words: ['shadow dom', 'shadow root', 'shadowroot'],
      texts: ['attachShadow', 'ViewEncapsulation.ShadowDom', 'shadowRoot'],
    },
    {
      flag: 'crossesFederationBoundary',
      words: ['module federation', 'federated module', 'remote module', 'micro frontend', 'microfrontend'],
      imports: ['@angular-architects/module-federation', '@angular-architects/native-federation', '@module-federation/'],
      texts: ['loadRemoteModule', 'ModuleFederationPlugin'],
    },
    {
      flag: 'migrationAdpDetected',
      words: ['adp to sdf', 'adp-to-sdf', 'migrate adp', 'migrate from adp', 'adp migration'],
      imports: ['@adp/'],
    },
  ],
  thresholds: {
    plan_rejected: 3,
    policy_conflict: 3,
    repeated_failure_threshold: 3,
    repeated_action_threshold: 3,
    missing_required_proof_chain: 3,
  },
};
