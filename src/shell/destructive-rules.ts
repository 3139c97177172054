// Commands that cannot be undone, need privileges, or reach another machine. The first rule that matches names the reason.

import { DESTRUCTIVE_GIT_RULES } from './destructive-git-rules.ts';
import { NETWORK_RULES } from './network-rules.ts';
import { asksForSecrets, isDryRun, onlyAsksProcesses, onlyLooks, onlyOwnChildren, LOOKING_PROGRAMS } from './only-looks.ts';
import { INSTALLERS, nearMiss } from './package-names.ts';
import type { NamedRule } from './rule.ts';
import { SECRET_IN_PROGRAM, SECRET_NAME } from './secret-rules.ts';

const words = (text: string): string[] => text.split(' ');
const destructive = (rule: Omit<NamedRule, 'level'>): NamedRule => ({ level: 'DESTRUCTIVE', ...rule });

/** An example of a slip for each registry. */
const NEAR: Readonly<Record<string, string>> = { npm: 'expresss', pnpm: 'raect', yarn: 'lodahs', bun: 'axioss', cargo: 'serde_jsom' };

/** What changes the machine, whatever it is given. */
const SYSTEM = words(
  'shutdown reboot halt poweroff init telinit batch rc-service umount swapoff modprobe insmod rmmod useradd userdel usermod groupadd groupdel chpasswd chsh update-rc.d nvram csrutil spctl setcap',
);
const CHANGES_SYSTEM = 'changes the machine, not only the work tree';

export const DESTRUCTIVE_RULES: readonly NamedRule[] = [
  ...NETWORK_RULES,
  ...DESTRUCTIVE_GIT_RULES,
  destructive({
    code: 'PRIVILEGED',
    commands: words('sudo doas su pkexec runuser sudoedit visudo chroot nsenter'),
    message: 'runs with other privileges',
    matches: ['sudo ls', 'su -c id', '/usr/bin/sudo id', 'ls && doas id'],
    rejects: ['ls sudo', 'echo sudo rm'],
  }),
  destructive({
    code: 'DELETES',
    commands: ['rm'],
    when: { options: ['-r', '-R', '--recursive', '-d', '--dir'] },
    message: 'with this option deletes whole folders and cannot be undone',
    remakeable: 'deletes only what tools make again',
    temporary: 'deletes only temporary files',
    matches: ['rm -rf /', 'rm -r a', 'rm a -fR', 'rm --recursive a', 'rm --rec a'],
    rejects: ['rm a', 'rm -f a', 'ls -r rm'],
  }),
  destructive({
    code: 'DELETES',
    commands: words('rm rmdir unlink'),
    message: 'deletes files and cannot be undone',
    restorable: 'deletes named files, only where the intent may write',
    remakeable: 'deletes only what tools make again',
    temporary: 'deletes only temporary files',
    leftover: 'deletes only what tools leave behind',
    matches: ['rm a', 'rm -f a', '/bin/rm a', '\\rm a', "r'm' a", 'ls; rmdir d', 'echo $(rm a)', 'cat <(rm a)', 'FOO=1 rm a'],
    rejects: ['ls rm', 'echo rm -rf /', 'grep rm a.txt', 'rmlint'],
  }),
  destructive({
    code: 'DELETES',
    commands: words('shred srm rimraf del-cli trash dropdb dropuser'),
    message: 'deletes for good',
    matches: ['shred -u a', 'rimraf build', 'npx rimraf a', 'dropdb x'],
    rejects: ['ls shred', 'rm a'],
  }),
  destructive({
    code: 'PRIVILEGED',
    commands: words('docker podman nerdctl'),
    when: {
      subcommands: ['run', 'create', 'container run', 'container create'],
      options: ['-v', '--volume', '--mount', '--privileged', '--pid', '--cap-add', '--device', '--security-opt'],
    },
    message: 'with this option reaches the machine around the container, with all rights',
    matches: ['docker run -v /:/host x sh', 'docker run --rm --privileged x', 'podman create --mount type=bind,src=/,dst=/x y'],
    rejects: ['docker run --rm x', 'docker ps', 'docker build -t x .', 'docker compose up'],
  }),
  destructive({
    code: 'DELETES',
    commands: ['find', 'fd', 'fdfind', 'bfs'],
    when: { words: ['-delete'] },
    message: 'with -delete deletes every file that it finds',
    temporary: 'deletes only temporary files',
    leftover: 'deletes only what tools leave behind',
    matches: ['find . -delete', "find . -name '*.o' -delete"],
    rejects: ['find . -name x', 'find . -print'],
  }),
  destructive({
    code: 'DELETES',
    commands: ['rsync'],
    when: { form: /^--(?:del|delete|remove-source)/ },
    message: 'with this option deletes files',
    matches: ['rsync -a --delete a/ b/', 'rsync --remove-source-files a b'],
    rejects: ['rsync -a a/ b/'],
  }),
  destructive({
    code: 'OVERWRITES_DEVICE',
    commands: words(
      'dd mkfs* mke2fs mkswap wipefs fdisk sfdisk gdisk sgdisk parted blkdiscard diskutil hdparm cryptsetup lvremove vgremove',
    ),
    message: 'overwrites files or whole devices and cannot be undone',
    matches: ['dd if=a of=b', 'mkfs.ext4 /dev/x', 'mkfs /dev/x', 'wipefs -a /dev/x'],
    rejects: ['ls dd', 'df'],
  }),
  destructive({
    code: 'EMPTIES_FILES',
    commands: ['truncate'],
    message: 'cuts files and cannot be undone',
    restorable: 'cuts named files, only where the intent may write',
    matches: ['truncate -s 0 a.txt'],
    rejects: ['echo truncate'],
  }),
  destructive({
    code: 'PUBLISHES',
    commands: words('npm pnpm yarn bun cargo gem twine poetry uv flit hatch vsce ovsx docker podman helm'),
    when: {
      subcommands: [
        'publish',
        'unpublish',
        'deprecate',
        'dist-tag',
        'owner',
        'access',
        'token',
        'yank',
        'push',
        'upload',
        'login',
        'logout',
        'npm publish',
      ],
      unless: isDryRun,
    },
    message: 'with this command changes something that others use',
    matches: ['npm publish', 'npm publish --dry-run=false', 'cargo publish', 'docker push x', 'twine upload dist', 'yarn npm publish'],
    rejects: ['npm install', 'cargo build', 'docker ps', 'npm run publish', 'npm publish --dry-run', 'cargo publish --dry-run'],
  }),
  destructive({
    code: 'DELETES_CONTAINERS',
    commands: ['docker', 'podman', 'nerdctl'],
    when: {
      subcommands: [
        'system prune',
        'rm',
        'rmi',
        'kill',
        'stop',
        'container rm',
        'container prune',
        'container kill',
        'image rm',
        'image prune',
        'volume rm',
        'volume prune',
        'network rm',
        'network prune',
        'builder prune',
        'buildx prune',
        'compose down',
        'compose rm',
        'swarm leave',
      ],
    },
    message: 'with this command removes containers, images or their data',
    matches: ['docker system prune -af', 'docker rm x', 'podman volume rm x', 'docker -H x compose down -v'],
    rejects: ['docker ps', 'docker build rm'],
  }),
  destructive({
    code: 'READS_SECRET',
    commands: words('kubectl oc'),
    when: { unless: (args) => !asksForSecrets(args) },
    message: 'shows secrets of the cluster',
    matches: ['kubectl get secrets', 'kubectl get pods,secrets -o yaml', 'kubectl describe secret/x', 'kubectl config view --raw'],
    rejects: ['kubectl get pods', 'kubectl get secretstores'],
  }),
  ...words('kubectl oc helm terraform tofu pulumi ansible ansible-playbook').map((program) =>
    destructive({
      code: 'CHANGES_INFRASTRUCTURE',
      commands: [program],
      when: { unless: onlyLooks(program) },
      message: 'changes systems outside this machine',
      matches: [`${program} apply x`],
      rejects: [`echo ${program}`],
    }),
  ),
  destructive({
    code: 'READS_SECRET',
    commands: words('docker podman buildah nerdctl'),
    when: { subcommands: ['build', 'buildx build', 'image build', 'bud'], options: ['--ssh', '--secret'] },
    message: 'with this option hands keys or secrets to the build',
    matches: ['docker build --ssh default -t x .', 'docker buildx build --secret id=a,src=b .'],
    rejects: ['docker build -t x .', 'docker ps'],
  }),
  ...INSTALLERS.map((installer) =>
    destructive({
      code: 'NEAR_MISS',
      commands: [installer],
      when: {
        subcommands: words('install i add get').concat(['pip install']),
        unless: (args) => nearMiss(installer, args) === null,
      },
      message: 'would install a package whose name is one letter away from a well-known one',
      matches: [`${installer} install ${NEAR[installer] ?? 'reqeusts'}`],
      rejects: [`${installer} install`, `${installer} install left-pad`, `${installer} install ./src`],
    }),
  ),
  destructive({
    code: 'CHANGES_SYSTEM',
    commands: words('npm pnpm yarn bun'),
    when: { subcommands: words('install i add update uninstall remove rm link un'), options: ['-g', '--global'] },
    message: 'with -g changes the machine, not only the work tree',
    matches: ['npm install -g x', 'npm i --global x', 'pnpm add -g x'],
    rejects: ['npm install x', 'npm test -g'],
  }),
  destructive({
    code: 'DROPS_DATA',
    commands: words('psql mysql mariadb sqlite3 sqlcmd mongosh mongo redis-cli clickhouse-client duckdb'),
    when: {
      form: /\b(?:drop\s+(?:database|table|schema|index|view|user|role|column)|truncate(?:\s+table)?\s|delete\s+from|alter\s+table|flushall|flushdb|dropdatabase)\b|\.drop\(/i,
    },
    message: 'with this statement removes data and cannot be undone',
    matches: ["psql -c 'DROP DATABASE x'", "sqlite3 a.db 'drop table x'", 'redis-cli FLUSHALL', 'mysql -e "truncate table x"'],
    rejects: ["psql -c 'select 1'", 'echo drop table x'],
  }),
  destructive({
    code: 'READS_SECRET',
    commands: words('security secret-tool pass op vault keyring'),
    message: 'reads secrets that are kept apart from files',
    matches: ['pass show x', 'vault read x', 'secret-tool lookup a b'],
    rejects: ['echo pass'],
  }),
  destructive({
    code: 'READS_SECRET',
    commands: ['ps'],
    when: { unless: (args) => !args.some(({ text }, at) => (at === 0 ? /^[a-zA-Z]*e[a-zA-Z]*$/ : /^w*ew*$/).test(text)) },
    message: 'with this letter shows the variables of other programs',
    matches: ['ps e', 'ps auxe', 'ps eww', 'ps -p 1 eww'],
    rejects: ['ps', 'ps aux', 'ps -e', 'ps -ef', 'ps -C node', 'ps -eo pid,comm', 'ps -o pid= -p 1'],
  }),
  destructive({
    code: 'READS_SECRET',
    commands: words('jq yq'),
    when: { form: SECRET_IN_PROGRAM },
    message: 'shows a variable that is named after a secret',
    matches: ["jq -n '$ENV.GITHUB_TOKEN'", "jq -n 'env.API_KEY'", "yq -n 'env(NPM_TOKEN)'"],
    rejects: ["jq -n '$ENV.HOME'", 'jq .env.TOKEN_COUNT a.json'],
  }),
  destructive({
    code: 'READS_SECRET',
    commands: ['printenv'],
    when: { form: SECRET_NAME },
    message: 'shows a variable that is named after a secret',
    matches: ['printenv GITHUB_TOKEN', 'printenv HOME AWS_SECRET_ACCESS_KEY'],
    rejects: ['printenv', 'printenv HOME', 'echo GITHUB_TOKEN'],
  }),
  destructive({
    code: 'READS_SECRET',
    commands: words('gpg gpg2 npm pnpm yarn'),
    when: { form: /^--export-secret|(?:^|:)_(?:authToken|auth|password)$/ },
    message: 'shows a key or a token',
    matches: ['gpg --export-secret-keys', 'npm config get //x.test/:_authToken'],
    rejects: ['gpg --list-keys', 'npm config get registry', 'npm test'],
  }),
  destructive({
    code: 'CHANGES_PERMISSIONS',
    commands: words('chmod chown chgrp chattr setfacl'),
    when: { options: ['-R', '--recursive'] },
    message: 'with -R changes the permissions of a whole tree',
    matches: ['chmod -R 777 .', 'chown -Rh a .', 'chmod --recursive +x .'],
    rejects: ['chmod +x a.sh', 'chown a b'],
  }),
  destructive({
    code: 'STOPS_PROCESSES',
    commands: ['kill'],
    // The shell's own jobs, which it has just started itself.
    when: { notOnly: /^(?:%\d+|\$!|\$\(jobs -p\)|-(?:TERM|INT|HUP|KILL|9|15|s|SIGTERM|SIGINT|SIGKILL))$/, unless: onlyAsksProcesses },
    message: 'ends processes, possibly not only its own',
    matches: [
      'PID=$!; PID=1; kill $PID',
      'PID=$!; eval x; kill $PID',
      'kill 1',
      'kill -9 $$',
      'builtin kill -9 $$',
      'kill -9 -1',
      'kill %1 2',
      'kill $PID',
      'kill',
    ],
    rejects: [
      'echo kill',
      ...['ls kill', 'kill %1', 'sleep 5 & kill $!', 'kill -TERM %2', 'kill -0 12', 'kill $(jobs -p)'],
      ...['node a.js & PID=$!; sleep 1; kill $PID', 'node a.js & pid=$!; kill -9 "${pid}"'],
    ],
  }),
  destructive({
    code: 'STOPS_PROCESSES',
    commands: words('pkill killall killall5 skill xkill'),
    when: { unless: onlyOwnChildren },
    message: 'ends processes by name, possibly not only its own',
    matches: ['pkill -f node', 'killall node'],
    rejects: ['echo pkill', 'ls killall', 'pkill -P $$'],
  }),
  destructive({
    code: 'CHANGES_SYSTEM',
    commands: SYSTEM,
    message: CHANGES_SYSTEM,
    matches: ['shutdown now', 'sudo reboot', 'umount /mnt'],
    rejects: ['echo reboot', 'cat init'],
  }),
  ...LOOKING_PROGRAMS.filter((program) => !/^(?:kubectl|oc|helm|terraform|tofu|pulumi|ansible.*)$/.test(program)).map((program) =>
    destructive({
      code: 'CHANGES_SYSTEM',
      commands: [program],
      when: { unless: onlyLooks(program) },
      message: CHANGES_SYSTEM,
      matches: [`${program} install x=1`],
      rejects: [`echo ${program}`],
    }),
  ),
];
