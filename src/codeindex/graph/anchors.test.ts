import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { ANCHOR_DEFAULTS, anchorContent, anchorFoldersOf } from './anchors.ts';

verifies('G28', 'folders are anchors down to a depth, each containing the next', () => {
  const { nodes, edges } = anchorContent(
    ['a.ts', 'src/app/orders/grid/cell.ts', 'src/app/b.ts', 'web/node_modules/x/y.js'],
    ANCHOR_DEFAULTS,
  );
  expect(nodes.map(({ id, label, data }) => `${label} ${id} ${String(data['depth'] as number)}`)).toEqual([
    'DomainAnchor anchor:. 0',
    'DomainAnchor anchor:src/app/orders 3',
    'DomainAnchor anchor:src/app 2',
    'DomainAnchor anchor:src 1',
    'DomainAnchor anchor:web 1',
  ]);
  expect(edges.map(({ from, type, to }) => `${from} ${type} ${to}`)).toEqual([
    'anchor:. CONTAINS file:a.ts',
    'anchor:src/app/orders CONTAINS file:src/app/orders/grid/cell.ts',
    'anchor:src/app CONTAINS anchor:src/app/orders',
    'anchor:src CONTAINS anchor:src/app',
    'anchor:. CONTAINS anchor:src',
    'anchor:src/app CONTAINS file:src/app/b.ts',
    'anchor:web CONTAINS file:web/node_modules/x/y.js',
    'anchor:. CONTAINS anchor:web',
  ]);
});

verifies('G28', 'a file belongs to the nearest anchor and to those above it', () => {
  expect(anchorFoldersOf('src/app/orders/grid/cell.ts', ANCHOR_DEFAULTS)).toEqual(['src/app/orders', 'src/app', 'src', '.']);
  expect(anchorFoldersOf('src/app/orders/grid/cell.ts', { maxDepth: 1, exclude: [] })).toEqual(['src', '.']);
  expect(anchorFoldersOf('src/gen-v1-api/x.ts', { maxDepth: 3, exclude: ['gen*api'] })).toEqual(['src', '.']);
  expect(anchorFoldersOf('src/general/x.ts', { maxDepth: 3, exclude: ['gen*api'] })).toEqual(['src/general', 'src', '.']);
  expect(anchorFoldersOf('x.ts', ANCHOR_DEFAULTS)).toEqual(['.']);
});
