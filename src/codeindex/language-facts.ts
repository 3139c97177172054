// What is known about kinds of nodes and about names, as data.

/** Nodes of which every child is just visited. */
export const PLAIN = new Set(
  `ArrayExpression ArrayPattern AssignmentExpression AssignmentPattern AwaitExpression BinaryExpression CallExpression ChainExpression
  ConditionalExpression DebuggerStatement Decorator DoWhileStatement EmptyStatement ExpressionStatement IfStatement ImportExpression
  JSXClosingFragment JSXEmptyExpression JSXExpressionContainer JSXOpeningFragment JSXSpreadAttribute JSXSpreadChild JSXText
  Literal LogicalExpression NewExpression ObjectExpression ObjectPattern RestElement ReturnStatement SequenceExpression SpreadElement
  Super SwitchCase TaggedTemplateExpression TemplateElement TemplateLiteral ThisExpression ThrowStatement TryStatement UnaryExpression
  UpdateExpression WhileStatement YieldExpression
  TSAnyKeyword TSArrayType TSAsExpression TSBigIntKeyword TSBooleanKeyword TSIndexedAccessType TSInstantiationExpression
  TSInterfaceBody TSIntersectionType TSIntrinsicKeyword TSLiteralType TSNeverKeyword TSNonNullExpression TSNullKeyword TSNumberKeyword
  TSObjectKeyword TSOptionalType TSRestType TSSatisfiesExpression TSStringKeyword TSSymbolKeyword TSTemplateLiteralType TSThisType
  TSTupleType TSTypeAnnotation TSTypeAssertion TSTypeLiteral TSTypeOperator TSTypeParameterDeclaration TSTypeParameterInstantiation
  TSUndefinedKeyword TSUnionType TSUnknownKeyword TSVoidKeyword`.split(/\s+/),
);

/** Compilers call these in the name of JSX, without a reference that could be seen. */
export const JSX_FACTORIES = new Set(['React', 'h', 'Fragment', 'jsx', 'jsxs', 'createElement', 'dom']);

/** Loaders, test runners and injectors depend on the spelling of these, not on their meaning. */
export const SPELLED =
  /^(?:[mM]ock|\$.)|^(?:vi|vitest|jest|require|module|exports|__filename|__dirname|undefined|NaN|Infinity|globalThis)$/;
