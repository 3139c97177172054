// Finds what runs, assigns or cannot be proven inside words: expansions, arithmetic and tests.

import type { ArithmeticExpression, ParameterExpansionPart, ParsedScript, TestExpression, Word, WordPart } from 'unbash';
import { isHarmlessUnary, isInteger, NUMBER_COMPARISONS, TEXT_COMPARISONS } from './argument-checks.ts';
import { regionOf, type Span } from './exact-text.ts';
import { readWord } from './words.ts';

/** Callbacks of the walk for what is found here. */
export interface ExpansionSink {
  /** A script that runs: judged by what is in it. The region is what the script has to account for. */
  readonly script: (script: ParsedScript, region: Span) => void;
  readonly unproven: (text: string) => void;
}

export function readExpansions(word: { readonly parts?: readonly WordPart[] | undefined }, sink: ExpansionSink): void {
  for (const part of word.parts ?? []) readPart(part, sink);
}

function readPart(part: WordPart, sink: ExpansionSink): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'SimpleExpansion':
      return;
    case 'AnsiCQuoted':
      // A shell that does not know $'…' ends the quotes at \', and runs the rest.
      if (part.text.includes("\\'")) sink.unproven(part.text);
      return;
    case 'LocaleString':
      // A translation is looked up, and older shells expand what they find.
      sink.unproven(part.text);
      for (const child of part.parts) readPart(child, sink);
      return;
    case 'DoubleQuoted':
      for (const child of part.parts) readPart(child, sink);
      return;
    case 'Glob':
    case 'BraceExpansion':
      readExpansions(part, sink);
      return;
    case 'ExtendedGlob':
      // Other shells run code from such patterns.
      sink.unproven(part.text);
      readExpansions(part, sink);
      return;
    case 'ParameterExpansion':
      readParameter(part, sink);
      return;
    case 'CommandExpansion':
      if (part.script === undefined || part.text.startsWith('${')) sink.unproven(part.text);
      if (part.script !== undefined) sink.script(part.script, regionOf(part));
      return;
    case 'ProcessSubstitution':
      if (part.script === undefined) sink.unproven(part.text);
      else sink.script(part.script, regionOf(part));
      return;
    case 'ArithmeticExpansion':
      // $[…] is plain text, with its redirects, to shells that do not know it.
      if (part.text.startsWith('$[') || part.expression === undefined || !isNumeric(part.expression, sink)) sink.unproven(part.text);
  }
}

const HARMLESS_TRANSFORMS = new Set(['Q', 'E', 'U', 'u', 'L']);

function readParameter(part: ParameterExpansionPart, sink: ExpansionSink): void {
  const { index, operation } = part;
  let proven = part.prefix !== '!' && /^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(part.parameter);
  // A subscript is evaluated, and evaluation can run a command.
  if (index !== undefined) {
    readExpansions(index, sink);
    if (index.parts !== undefined || !/^(?:\d+|[@*])$/.test(index.text)) proven = false;
  }
  const operand = (word: Word, form: RegExp): void => {
    readExpansions(word, sink);
    const written = word.parts?.map((each) => (each.type === 'CommandExpansion' ? '' : each.text)).join('') ?? word.text;
    if (!form.test(written)) proven = false;
  };
  // Shells disagree about quotes inside ${…}.
  const UNQUOTED = /^[^'"\\`]*$/;
  /** Other shells run code from brackets behind a name, and from an equals sign before one. */
  const PLAIN = /^(?!=)[^'"\\`()<>|&;]*$/;
  const NUMBER = /^ ?-?\d+$/;
  switch (operation?.type) {
    case undefined:
      break;
    case 'Default':
      operand(operation.operand, PLAIN);
      if (operation.operator === '=' || operation.operator === ':=') proven = false;
      break;
    case 'Remove':
      operand(operation.operand, UNQUOTED);
      break;
    case 'Replace':
      operand(operation.pattern, UNQUOTED);
      operand(operation.replacement, PLAIN);
      break;
    case 'CaseModification':
      if (operation.operand !== undefined) operand(operation.operand, UNQUOTED);
      break;
    case 'Slice':
      operand(operation.offset, NUMBER);
      if (operation.length !== undefined) operand(operation.length, NUMBER);
      break;
    case 'Transform':
      readExpansions(operation.operand, sink);
      if (!HARMLESS_TRANSFORMS.has(operation.operand.text)) proven = false;
      break;
    case 'Names':
    case 'Unknown':
      proven = false;
  }
  if (!proven) sink.unproven(part.text);
}

/** Only numbers: the value of a variable is evaluated in turn, and `a[$(…)]` in it would run. */
function isNumeric(expression: ArithmeticExpression, sink: ExpansionSink): boolean {
  switch (expression.type) {
    case 'ArithmeticWord':
      readExpansions(expression, sink);
      return expression.parts === undefined && /^(?:\d+|0[xX][0-9a-fA-F]+)$/.test(expression.value);
    case 'ArithmeticGroup':
      return isNumeric(expression.expression, sink);
    case 'ArithmeticUnary':
      return isNumeric(expression.operand, sink);
    case 'ArithmeticBinary': {
      const left = isNumeric(expression.left, sink);
      return isNumeric(expression.right, sink) && left;
    }
    case 'ArithmeticTernary': {
      const branches = [expression.test, expression.consequent, expression.alternate].map((branch) => isNumeric(branch, sink));
      return branches.every(Boolean);
    }
    case 'ArithmeticCommandExpansion':
      if (expression.script !== undefined) sink.script(expression.script, regionOf(expression));
      return false;
  }
}

/** Walks arithmetic whose class is decided already, for what runs inside. */
export function readArithmetic(expression: ArithmeticExpression | undefined, sink: ExpansionSink): void {
  if (expression !== undefined) isNumeric(expression, sink);
}

/** True for a single test that evaluates no variable and means the same in other shells. */
export function isHarmlessTest(expression: TestExpression, sink: ExpansionSink): boolean {
  switch (expression.type) {
    case 'TestUnary':
      readExpansions(expression.operand, sink);
      return isHarmlessUnary(expression.operator, readWord(expression.operand));
    case 'TestBinary': {
      readExpansions(expression.left, sink);
      readExpansions(expression.right, sink);
      if (NUMBER_COMPARISONS.has(expression.operator)) return isInteger(readWord(expression.left)) && isInteger(readWord(expression.right));
      return TEXT_COMPARISONS.has(expression.operator) || expression.operator === '=~';
    }
    case 'TestNot':
      return isHarmlessTest(expression.operand, sink);
    case 'TestGroup':
      isHarmlessTest(expression.expression, sink);
      return false;
    case 'TestLogical':
      for (const operand of expression.operands) isHarmlessTest(operand, sink);
      return false;
  }
}
