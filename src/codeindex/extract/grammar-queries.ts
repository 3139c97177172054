// What to look for in each language's tree. A capture named after a kind of definition is one, together with `@name` and `@body`;
// a capture named after a role is a use, with `@of` and `@arguments`; `@import_statement` is read by `grammar-imports.ts`.

export type GrammarName = 'python' | 'go' | 'rust' | 'java' | 'csharp' | 'cpp' | 'ruby' | 'php';

export interface Grammar {
  /** The end of the grammar file's name. */
  readonly file: string;
  readonly query: string;
  /** Whether others see it, by its name and by what is written before its body. */
  readonly isExported: (name: string, head: string) => boolean;
  /** The type that a function beside it belongs to. */
  readonly receiver?: (head: string) => string | undefined;
}

const PYTHON = `
(import_statement) @import_statement
(import_from_statement) @import_statement
(class_definition name: (identifier) @name body: (_) @body) @class
(function_definition name: (identifier) @name body: (_) @body) @function
(module (expression_statement (assignment left: (identifier) @name) @variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(class_definition superclasses: (argument_list (identifier) @extends))
(class_definition superclasses: (argument_list (attribute object: (_) @of attribute: (identifier) @extends)))
(decorator (identifier) @decorator)
(decorator (attribute object: (_) @of attribute: (identifier) @decorator))
(decorator (call function: (identifier) @decorator arguments: (argument_list) @arguments))
(decorator (call function: (attribute object: (_) @of attribute: (identifier) @decorator) arguments: (argument_list) @arguments))
(call function: (identifier) @call arguments: (_) @arguments)
(call function: (attribute object: (_) @of attribute: (identifier) @call) arguments: (_) @arguments)
(attribute object: (_) @of attribute: (identifier) @read)
(assignment left: (identifier) @write)
(assignment left: (attribute object: (_) @of attribute: (identifier) @write))
(type (identifier) @type)
(import_from_statement name: (dotted_name (identifier) @import))
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @import)))
(identifier) @read
`;

const GO = `
(import_spec) @import_statement
(function_declaration name: (identifier) @name body: (_)? @body) @function
(method_declaration name: (field_identifier) @name body: (_)? @body) @method
(type_spec name: (type_identifier) @name type: (struct_type) @body) @struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(field_declaration name: (field_identifier) @name) @field
(method_elem name: (field_identifier) @name) @method
(source_file (const_declaration (const_spec name: (identifier) @name) @const))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(field_declaration !name type: (type_identifier) @extends)
(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (selector_expression operand: (_) @of field: (field_identifier) @call) arguments: (_) @arguments)
(selector_expression operand: (_) @of field: (field_identifier) @read)
(qualified_type package: (_) @of name: (type_identifier) @type)
(composite_literal type: (type_identifier) @new)
(type_identifier) @type
(identifier) @read
(field_identifier) @read
`;

const RUST = `
(use_declaration) @import_statement
(function_item name: (identifier) @name body: (_) @body) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name body: (_)? @body) @struct
(enum_item name: (type_identifier) @name body: (_) @body) @enum
(enum_variant name: (identifier) @name) @enum_member
(trait_item name: (type_identifier) @name body: (_) @body) @trait
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (_)? @body) @namespace
(const_item name: (identifier) @name) @const
(static_item name: (identifier) @name) @variable
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name) @field
(impl_item type: (type_identifier) @name body: (_) @body) @class
(impl_item type: (generic_type type: (type_identifier) @name) body: (_) @body) @class
(impl_item trait: (type_identifier) @implements)
(impl_item trait: (generic_type type: (type_identifier) @implements))
(impl_item trait: (scoped_type_identifier name: (type_identifier) @implements))
(trait_bounds (type_identifier) @type)
(attribute_item (attribute (identifier) @decorator))
(attribute_item (attribute (identifier) @decorator arguments: (token_tree) @arguments))
(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (field_expression value: (_) @of field: (field_identifier) @call) arguments: (_) @arguments)
(call_expression function: (scoped_identifier path: (_) @of name: (identifier) @call) arguments: (_) @arguments)
(macro_invocation macro: (identifier) @call (token_tree) @arguments)
(struct_expression name: (type_identifier) @new)
(field_expression value: (_) @of field: (field_identifier) @read)
(scoped_identifier path: (_) @of name: (identifier) @read)
(type_identifier) @type
(identifier) @read
(field_identifier) @read
`;

const JAVA = `
(import_declaration) @import_statement
(class_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(enum_constant name: (identifier) @name) @enum_member
(method_declaration name: (identifier) @name body: (_)? @body) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(superclass (type_identifier) @extends)
(superclass (generic_type (type_identifier) @extends))
(super_interfaces (type_list (type_identifier) @implements))
(super_interfaces (type_list (generic_type (type_identifier) @implements)))
(extends_interfaces (type_list (type_identifier) @extends))
(extends_interfaces (type_list (generic_type (type_identifier) @extends)))
(marker_annotation name: (identifier) @decorator)
(annotation name: (identifier) @decorator arguments: (_) @arguments)
(method_invocation object: (_) @of name: (identifier) @call arguments: (_) @arguments)
(method_invocation !object name: (identifier) @call arguments: (_) @arguments)
(object_creation_expression type: (type_identifier) @new arguments: (_) @arguments)
(object_creation_expression type: (generic_type (type_identifier) @new) arguments: (_) @arguments)
(field_access object: (_) @of field: (identifier) @read)
(assignment_expression left: (identifier) @write)
(type_identifier) @type
(identifier) @read
`;

const CSHARP = `
(using_directive) @import_statement
(namespace_declaration name: (_) @name body: (_) @body) @namespace
(file_scoped_namespace_declaration name: (_) @name) @namespace
(class_declaration name: (identifier) @name body: (_)? @body) @class
(record_declaration name: (identifier) @name body: (_)? @body) @class
(struct_declaration name: (identifier) @name body: (_)? @body) @struct
(interface_declaration name: (identifier) @name body: (_)? @body) @interface
(enum_declaration name: (identifier) @name body: (_)? @body) @enum
(enum_member_declaration name: (identifier) @name) @enum_member
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name body: (_)? @body) @method
(local_function_statement name: (identifier) @name body: (_)? @body) @function
(constructor_declaration name: (identifier) @name body: (_)? @body) @constructor
(property_declaration name: (identifier) @name) @field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(base_list (identifier) @extends)
(base_list (generic_name (identifier) @extends))
(attribute name: (identifier) @decorator)
(attribute name: (identifier) @decorator (attribute_argument_list) @arguments)
(invocation_expression function: (identifier) @call arguments: (_) @arguments)
(invocation_expression function: (member_access_expression expression: (_) @of name: (identifier) @call) arguments: (_) @arguments)
(invocation_expression function: (member_access_expression expression: (_) @of name: (generic_name (identifier) @call)) arguments: (_) @arguments)
(object_creation_expression type: (identifier) @new arguments: (_)? @arguments)
(object_creation_expression type: (generic_name (identifier) @new) arguments: (_)? @arguments)
(member_access_expression expression: (_) @of name: (identifier) @read)
(assignment_expression left: (identifier) @write)
(parameter type: (identifier) @type)
(variable_declaration type: (identifier) @type)
(identifier) @read
`;

const CPP = `
(preproc_include) @import_statement
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(namespace_definition name: (_) @name body: (_) @body) @namespace
(class_specifier name: (type_identifier) @name body: (_) @body) @class
(struct_specifier name: (type_identifier) @name body: (_) @body) @struct
(union_specifier name: (type_identifier) @name body: (_) @body) @struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum
(enumerator name: (identifier) @name) @enum_member
(type_definition declarator: (type_identifier) @name) @type
(alias_declaration name: (type_identifier) @name) @type
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(function_definition declarator: (function_declarator declarator: (field_identifier) @name) body: (_) @body) @method
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @name)) body: (_) @body) @method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @name))) body: (_) @body) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier name: (identifier) @name))) body: (_) @body) @method
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @name))) body: (_) @body) @method
(field_declaration declarator: (field_identifier) @name) @field
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(translation_unit (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration declarator: (identifier) @name) @variable)
(base_class_clause (type_identifier) @extends)
(base_class_clause (template_type name: (type_identifier) @extends))
(base_class_clause (qualified_identifier name: (type_identifier) @extends))
(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @of field: (field_identifier) @call) arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @of name: (identifier) @call) arguments: (_) @arguments)
(call_expression function: (template_function name: (identifier) @call) arguments: (_) @arguments)
(new_expression type: (type_identifier) @new)
(field_expression argument: (_) @of field: (field_identifier) @read)
(assignment_expression left: (identifier) @write)
(type_identifier) @type
(identifier) @read
(field_identifier) @read
`;

const RUBY = `
(call method: (identifier) @_required arguments: (argument_list (string)) (#any-of? @_required "require" "require_relative" "load")) @import_statement
(class name: (constant) @name) @class
(class name: (scope_resolution name: (constant) @name)) @class
(module name: (constant) @name) @namespace
(module name: (scope_resolution name: (constant) @name)) @namespace
(method name: (_) @name) @function
(singleton_method name: (_) @name) @method
(program (assignment left: (constant) @name) @const)
(body_statement (assignment left: (constant) @name) @const)
(superclass (constant) @extends)
(superclass (scope_resolution name: (constant) @extends))
(call receiver: (_) @of method: (identifier) @call arguments: (_)? @arguments)
(call !receiver method: (identifier) @call arguments: (_)? @arguments)
(call receiver: (_) @of method: (constant) @call arguments: (_)? @arguments)
(scope_resolution scope: (_) @of name: (constant) @read)
(assignment left: (identifier) @write)
(assignment left: (instance_variable) @write)
(constant) @read
(identifier) @read
(instance_variable) @read
`;

const PHP = `
(namespace_use_declaration) @import_statement
(require_expression) @import_statement
(require_once_expression) @import_statement
(include_expression) @import_statement
(include_once_expression) @import_statement
(namespace_definition name: (_) @name) @namespace
(class_declaration name: (name) @name body: (_) @body) @class
(interface_declaration name: (name) @name body: (_) @body) @interface
(trait_declaration name: (name) @name body: (_) @body) @trait
(enum_declaration name: (name) @name body: (_) @body) @enum
(enum_case name: (name) @name) @enum_member
(function_definition name: (name) @name body: (_) @body) @function
(method_declaration name: (name) @name body: (_)? @body) @method
(property_declaration (property_element name: (variable_name (name) @name))) @field
(const_declaration (const_element (name) @name)) @const
(base_clause (name) @extends)
(base_clause (qualified_name (name) @extends))
(class_interface_clause (name) @implements)
(class_interface_clause (qualified_name (name) @implements))
(attribute (name) @decorator)
(attribute (name) @decorator parameters: (_) @arguments)
(function_call_expression function: (name) @call arguments: (_) @arguments)
(function_call_expression function: (qualified_name (name) @call) arguments: (_) @arguments)
(member_call_expression object: (_) @of name: (name) @call arguments: (_) @arguments)
(scoped_call_expression scope: (_) @of name: (name) @call arguments: (_) @arguments)
(object_creation_expression (name) @new)
(object_creation_expression (name) @new (arguments) @arguments)
(object_creation_expression (qualified_name (name) @new))
(member_access_expression object: (_) @of name: (name) @read)
(class_constant_access_expression (_) @of (name) @read)
(named_type (name) @type)
(name) @read
`;

const always = (): boolean => true;
const isPublic = (_name: string, head: string): boolean => /\bpublic\b/.test(head);

export const GRAMMARS: Readonly<Record<GrammarName, Grammar>> = {
  python: { file: 'python', query: PYTHON, isExported: (name) => !name.startsWith('_') },
  go: {
    file: 'go',
    query: GO,
    isExported: (name) => /^\p{Lu}/u.test(name),
    receiver: (head) => /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)/.exec(head)?.[1],
  },
  rust: { file: 'rust', query: RUST, isExported: (_name, head) => /^\s*pub\b/.test(head) },
  java: { file: 'java', query: JAVA, isExported: isPublic },
  csharp: { file: 'c-sharp', query: CSHARP, isExported: isPublic },
  cpp: {
    file: 'cpp',
    query: CPP,
    isExported: (_name, head) => !/\bstatic\b/.test(head),
    receiver: (head) => /([\p{L}\p{N}_]+)(?:<[^<>]*>)?\s*::\s*~?[\p{L}\p{N}_]+\s*\(/u.exec(head)?.[1],
  },
  ruby: { file: 'ruby', query: RUBY, isExported: always },
  php: { file: 'php', query: PHP, isExported: (_name, head) => !/\b(?:private|protected)\b/.test(head) },
};
