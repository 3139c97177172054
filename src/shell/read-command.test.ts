import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { CommandReading } from '../protocol/index.ts';
import { DESTRUCTIVE_RULES } from './destructive-rules.ts';
import { readCommand } from './read-command.ts';
import { SAFE_RULES } from './safe-rules.ts';
import { SYNTAX } from './syntax.fixture.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'], home: '/home/me' };
const harmless = SAFE_RULES.flatMap((rule) => rule.matches);
const always = DESTRUCTIVE_RULES.filter((rule) => rule.when === undefined).flatMap((rule) =>
  rule.commands.map((name) => name.replace('*', '')),
);

/** Texts that look like shell: pieces of syntax, words and any characters. */
const syntax = fc.constantFrom(
  ...SYNTAX,
  ' ',
  '$x',
  '@P',
  "$'",
  '*',
  '?',
  '[',
  ']',
  '!',
  '~',
  '=',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  'case',
  'esac',
  'ls',
  'rm',
  'a',
  '-',
  '\u202e',
  '\u0000',
  '\ud800',
);
const soup = fc.array(fc.oneof(syntax, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 }).map((pieces) => pieces.join(''));
const mutated = fc.tuple(fc.constantFrom(...harmless), fc.nat(), fc.nat(3), syntax).map(([command, at, drop, piece]) => {
  const i = at % (command.length + 1);
  return command.slice(0, i) + piece + command.slice(i + drop);
});

type Layer = (command: string) => string;
/** What can enclose what: wrappers take words; assignments, pipes, ! and time take less than a list; the rest takes anything. */
const rank = (layer: Layer): number => {
  const order = [/^(?:env|xargs|command|timeout|sudo|find)/, /^(?:A=1|>f)/, /^ls \|/, /^(?:!|time )/, /^/];
  return order.findIndex((form) => form.test(layer('x')));
};
const around = fc.constantFrom<Layer[]>(
  (command) => command,
  (command) => `ls; ${command}`,
  (command) => `ls && ${command}`,
  (command) => `ls | ${command}`,
  (command) => `ls\n${command}\nls`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `! ${command}`,
  (command) => `time ${command}`,
  (command) => `A=1 ${command}`,
  (command) => `>f ${command}`,
  (command) => `if ${command}; then ls; fi`,
  (command) => `for f in a; do ${command}; done`,
  (command) => `case a in a) ${command};; esac`,
  (command) => `echo $( ${command} )`,
  (command) => `echo "$( ${command} )"`,
  (command) => `cat <( ${command} )`,
  (command) => `echo \${x:-$( ${command} )}`,
  (command) => `cat <<E\n$( ${command} )\nE`,
  (command) => `env ${command}`,
  (command) => `xargs ${command}`,
  (command) => `command ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `sudo ${command}`,
  (command) => `find . -exec ${command} {} +`,
  (command) => `f() { ${command}; }`,
  (command) => `${command} &`,
);
/** The command within some layers, behind a harmless one. */
const within = (command: string, layers: readonly Layer[], other: string): string =>
  `${other}\n${layers.toSorted((a, b) => rank(a) - rank(b)).reduce((inner, layer) => layer(inner), command)}`;

describe('any text', () => {
  verifies('I11', 'is read without throwing, into a whole answer', () => {
    fc.assert(
      fc.property(fc.oneof(soup, mutated, fc.string()), (command) => {
        const reading = readCommand(command);
        expect(CommandReading.parse(reading)).toEqual(reading);
        expect(reading.class === 'SAFE').toBe(reading.reasons.length === 0);
        expect(reading.reasons.every((reason) => reason.part.length <= 200 && reason.message.length <= 400)).toBe(true);
        expect(readCommand(command)).toEqual(reading);
        const placed = readCommand(command, PLACE);
        expect(CommandReading.parse(placed)).toEqual(placed);
        expect(placed.class === 'SAFE').toBe(reading.class === 'SAFE');
      }),
      { numRuns: 1500 },
    );
  });

  test('that nests without end is answered too', () => {
    const openers = [
      '$(',
      '"$(',
      '`',
      '((',
      '( ',
      '{ ',
      '${x:-',
      '$((',
      '<(',
      'if ',
      'case x in ',
      '[[ ( ',
      '{a,',
      '+(',
      '<<E\n',
      'sudo ',
      "bash -c '",
      'eval "',
    ];
    expect(openers.filter((opener) => readCommand(opener.repeat(Math.floor(8000 / opener.length))).class === 'SAFE')).toEqual([]);
  });
});

describe('a dangerous command in command position', () => {
  const danger: fc.Arbitrary<string> = fc
    .constantFrom(...always)
    .chain((name) => fc.constantFrom(`${name} a`, `\\${name} a`, `"${name}" a`, `/bin/${name} a`, `${name[0]}''${name.slice(1)} a`));
  verifies('I11', 'makes the whole DESTRUCTIVE, whatever is around it', () => {
    fc.assert(
      fc.property(danger, fc.array(around, { minLength: 1, maxLength: 4 }), fc.constantFrom(...harmless), (command, layers, other) => {
        const text = within(command, layers, other);
        expect([text, readCommand(text).class]).toEqual([text, 'DESTRUCTIVE']);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('what cannot be proven', () => {
  const layers = fc.array(around, { minLength: 1, maxLength: 4 });
  const unproven = fc.constantFrom(
    'frobnicate',
    './ls',
    'npm test',
    '$x',
    'sort $x',
    'A=1 ls',
    'ls > "$x"',
    'echo $((x))',
    'ls &',
    'git st',
    'bash a.sh',
  );

  verifies('I11', 'is never SAFE, whatever is around it', () => {
    fc.assert(
      fc.property(unproven, layers, fc.constantFrom(...harmless), (command, shells, other) => {
        const text = within(command, shells, other);
        expect([text, readCommand(text).class === 'SAFE', readCommand(text, PLACE).class === 'SAFE']).toEqual([text, false, false]);
      }),
      { numRuns: 1000 },
    );
  });

  verifies('I12', 'a write outside is WRITES_OUTSIDE, whatever is around it', () => {
    // More words may be added behind these, and each path stays one that is written.
    const writer = fc.constantFrom('touch /etc/x', 'tee ~/x', 'sed -i s/a/b/ /etc/x', 'rm /etc/x', 'dd if=a of=/x/y', 'mkdir -p /x');
    fc.assert(
      fc.property(writer, layers, fc.constantFrom(...harmless), (command, shells, other) => {
        const text = within(command, shells, other);
        expect([text, readCommand(text, PLACE).class]).toEqual([text, 'WRITES_OUTSIDE']);
      }),
      { numRuns: 1000 },
    );
  });

  verifies('I12', 'is never said to be all that is written', () => {
    fc.assert(
      fc.property(fc.constantFrom('npm test', 'touch $x', 'frobnicate', 'bash a.sh', 'rm *'), layers, (command, shells) => {
        const text = within(command, shells, 'ls');
        expect([text, readCommand(text, PLACE).writes_complete]).toEqual([text, false]);
      }),
      { numRuns: 500 },
    );
  });
});
