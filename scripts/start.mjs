// `npm start`: sets the clone up, then runs the daemon in the foreground until Ctrl-C. Without `--workspace` it is the sample's.

import './require-node.mjs';
import childProcess from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { readyOrExit, ROOT } from './bootstrap.mjs';
import { NODE_FLAGS, productEnvironment } from './product-node.mjs';

const given = withAbsoluteWorkspace(process.argv.slice(2));
const { node } = await readyOrExit({ web: true });

const hasWorkspace = given.some((argument) => argument === '--workspace' || argument.startsWith('--workspace='));
const main = path.join(ROOT, 'src/app/main.ts');
const child = childProcess.spawn(node, [...NODE_FLAGS, main, 'start', '--foreground', ...(hasWorkspace ? [] : ['--sample']), ...given], {
  cwd: ROOT,
  env: productEnvironment(),
  stdio: 'inherit',
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to the child itself; passing it on would count as a second one.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  console.error(`The daemon could not be started with ${node}: ${error.message}. Delete node_modules and run npm start again.`);
  process.exit(3);
});
child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + os.constants.signals[signal]));

/** npm runs this in the clone's own folder; a relative folder is meant from where the person typed the command. */
function withAbsoluteWorkspace(args) {
  const from = process.env.INIT_CWD === undefined ? process.cwd() : process.env.INIT_CWD;
  return args.map((argument, index) => {
    if (argument.startsWith('--workspace=')) return `--workspace=${path.resolve(from, argument.slice('--workspace='.length))}`;
    return args[index - 1] === '--workspace' ? path.resolve(from, argument) : argument;
  });
}
