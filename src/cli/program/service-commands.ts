// Commands that make the daemon a service of the user, for those who want it there before the first hook.

import { Option } from 'commander';
import os from 'node:os';
import { daemonClient } from '../../client/node.ts';
import type { ServiceKind } from '../../install/service/unit.ts';
import type { CommandLine } from './command-line.ts';

export function addServiceCommands({ program, options, home, print }: CommandLine): void {
  const group = program.command('service').description('the daemon as a service of yours (systemd, launchd); without it, hooks start it');
  for (const what of ['install', 'uninstall'] as const)
    group
      .command(what)
      .description(what === 'install' ? 'write the service and start it' : 'stop the service and remove it')
      .option('--dry-run', 'only show the file and the commands')
      .addOption(new Option('--kind <kind>', "which one, instead of this platform's own").choices(['systemd', 'launchd']))
      .action(async ({ dryRun = false, kind = null }: { dryRun?: boolean; kind?: ServiceKind | null }) => {
        const { service, serviceText } = await import('../../install/service/service.ts');
        const client = daemonClient(home().socket);
        const report = await service({ what, dryRun, kind, home: home(), userHome: os.homedir(), env: process.env, client });
        print(options().json ? JSON.stringify(report, null, 2) : serviceText(report));
      });
}
