// What an Angular application says in its code that no symbol table holds: columns of grids, routes, navigation, what is injected and
// called, and what module federation maps to where. One file at a time; `angular-content.ts` ties them together.

/** `cellRenderer`: a class, the name under which one is registered, or a function on the spot. */
export interface RendererFact {
  readonly kind: 'class' | 'name' | 'inline';
  readonly name: string;
  readonly line: number;
}

export interface NavFact {
  readonly line: number;
  readonly owner: string | null;
  /** The method or the field of the owner that contains it. */
  readonly member: string | null;
  /** `/orders/*`: a star for what is computed. Null: all of it is computed. */
  readonly url: string | null;
  /** As it is written, shortened. */
  readonly text: string;
  /** Texts in the same member: for a handler of a whole grid, they show which column it handles. */
  readonly mentions: readonly string[];
}

export interface ColumnFact {
  readonly line: number;
  readonly end_line: number;
  readonly owner: string | null;
  /** What the list is called: the field, the variable or the method that holds it. */
  readonly list: string | null;
  readonly field: string | null;
  readonly col_id: string | null;
  readonly header: string | null;
  readonly renderer: RendererFact | null;
  /** Texts in `cellRendererParams`: a shared renderer often gets its target from them. */
  readonly params: Readonly<Record<string, string>>;
  /** Navigation in the column itself: `onCellClicked`, a renderer on the spot. */
  readonly navs: readonly NavFact[];
}

export interface RemoteUse {
  readonly line: number;
  readonly remote: string | null;
  readonly entry: string | null;
  /** `./Module` */
  readonly exposed: string;
}

export interface RouteFact {
  readonly line: number;
  readonly end_line: number;
  /** The route of the same file that it is a child of, by its place in the list of all. */
  readonly parent: number | null;
  /** What the list is called: a variable, or the module class that holds it. */
  readonly list: string | null;
  /** Whether the application starts with this list: `provideRouter`, `forRoot`. */
  readonly root: boolean;
  readonly path: string | null;
  readonly component: string | null;
  readonly load: { readonly specifier: string; readonly name: string | null; readonly what: 'component' | 'children' } | null;
  readonly remote: (RemoteUse & { readonly name: string | null }) | null;
  readonly redirect: string | null;
}

export interface FederationFact {
  readonly line: number;
  readonly name: string | null;
  readonly remotes: readonly { readonly name: string; readonly entry: string | null; readonly line: number }[];
  readonly exposes: readonly { readonly key: string; readonly file: string; readonly line: number }[];
}

/** `private orders = inject(OrderService)`, or a parameter of the constructor. */
export interface InjectionFact {
  readonly line: number;
  readonly owner: string;
  readonly field: string;
  readonly type: string;
}

/** `this.orders.getOrder(…)` */
export interface FieldCallFact {
  readonly line: number;
  readonly owner: string;
  readonly field: string;
  readonly callee: string;
}

export interface AngularFacts {
  readonly columns: readonly ColumnFact[];
  readonly registered: readonly { readonly name: string; readonly type: string; readonly line: number }[];
  readonly navs: readonly NavFact[];
  readonly routes: readonly RouteFact[];
  /** Lists passed by name to `provideRouter`, `forRoot` and `forChild`, with the class whose decorator contains the call. */
  readonly lists: readonly { readonly name: string; readonly owner: string | null; readonly root: boolean }[];
  readonly federations: readonly FederationFact[];
  readonly injections: readonly InjectionFact[];
  readonly calls: readonly FieldCallFact[];
}

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** To be filled by a reader. */
export const emptyAngularFacts = (): Growing<AngularFacts> => ({
  columns: [],
  registered: [],
  navs: [],
  routes: [],
  lists: [],
  federations: [],
  injections: [],
  calls: [],
});

export const NO_ANGULAR_FACTS: AngularFacts = emptyAngularFacts();
