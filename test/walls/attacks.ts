// Attacks on the walls, as shell text that no reader of commands needs to understand. Each one leaves a sign when it succeeds: it changes a
// file that it may not change, prints a secret, reaches a host, or leaves something behind. `$REPO`, `$HOME`, `$GATE`, `$OTHER` and `$PORT`
// are set; `src` is in scope.

export interface Attack {
  readonly name: string;
  readonly run: string;
}

const inPython = (code: string) => `python3 - <<'PY'\n${code}\nPY`;

/** Ways of writing a file whose place is in `$T`. */
const WRITERS: Readonly<Record<string, string>> = {
  redirect: 'echo BROKEN > "$T"',
  append: 'echo BROKEN >> "$T"',
  tee: 'echo BROKEN | tee "$T"',
  dd: 'echo BROKEN | dd of="$T"',
  cp: 'echo BROKEN > src/x.tmp && cp -f src/x.tmp "$T"',
  mv: 'echo BROKEN > src/x.tmp && mv -f src/x.tmp "$T"',
  install: 'echo BROKEN > src/x.tmp && install -m 644 src/x.tmp "$T"',
  sed: `sed -i 's/.*/BROKEN/' "$T"`,
  perl: `perl -pi -e 's/.*/BROKEN/' "$T"`,
  truncate: 'truncate -s 0 "$T"',
  ln: 'echo BROKEN > src/x.tmp && ln -f src/x.tmp "$T"',
  rm: 'rm -f "$T"',
  unlink: 'unlink "$T"',
  rename: 'mv "$T" "$T.old"',
  python: inPython('import os\nopen(os.environ["T"],"w").write("BROKEN")'),
  awk: `awk 'BEGIN { print "BROKEN" > ENVIRON["T"] }'`,
  git: 'git hash-object -w --stdin </dev/null; echo BROKEN > src/x.tmp; git --work-tree="$(dirname "$T")" checkout-index -f -a',
  rsync: 'cat src/x.tmp 2>/dev/null; tar cf src/x.tar -C src a.ts && tar xf src/x.tar -C "$(dirname "$T")"; cp src/a.ts "$T"',
  chmodFirst: 'chmod u+w "$T" "$(dirname "$T")"; echo BROKEN > "$T"',
  link: 'ln -s "$T" src/link && echo BROKEN > src/link',
  hardlink: 'ln "$T" src/hard && echo BROKEN > src/hard',
  procRoot: 'for p in /proc/[0-9]*; do echo BROKEN > "$p/root$T"; done',
  procCwd: 'for p in /proc/[0-9]*; do ( cd "$p/cwd" && echo BROKEN > "$T" ); done',
  background: '( sleep 0.2; echo BROKEN > "$T" ) & wait',
  detached: 'setsid sh -c \'echo BROKEN > "$T"\'',
  userns: 'unshare -Urm sh -c \'mount -o remount,rw / ; mount -o remount,rw,bind "$(dirname "$T")"; echo BROKEN > "$T"\'',
  umount: 'umount -l "$T" "$(dirname "$T")" "$REPO" 2>/dev/null; echo BROKEN > "$T"',
  moveFolder: 'mv "$(dirname "$T")" "$(dirname "$T").old" && mkdir -p "$(dirname "$T")" && echo BROKEN > "$T"',
};

/** Ways of reading one. A success prints the secret itself. */
const READERS: Readonly<Record<string, string>> = {
  cat: 'cat "$T"',
  base64: 'base64 -d < <(base64 "$T")',
  python: inPython('import os\nprint(open(os.environ["T"]).read())'),
  tar: 'tar cf - -C / "${T#/}" | cat',
  cp: 'cp "$T" src/stolen && cat src/stolen',
  link: 'ln -s "$T" src/secret; cat src/secret',
  hardlink: 'ln "$T" src/secret2; cat src/secret2',
  procRoot: 'for p in /proc/[0-9]*; do cat "$p/root$T"; done',
  glob: 'cat $(dirname "$(dirname "$T")")/.*/* $(dirname "$(dirname "$T")")/*/*',
  find: 'find "$(dirname "$(dirname "$T")")" -type f -exec cat {} +',
  userns: 'unshare -Urm sh -c \'umount -l "$(dirname "$T")"; umount -l "$T"; cat "$T"\'',
  umount: 'umount "$(dirname "$T")" "$T"; cat "$T"',
  bind: 'unshare -Urm sh -c \'mkdir -p /tmp/m; mount --bind / /tmp/m; cat "/tmp/m$T"\'',
};

/** Files that must stay as they are, below a variable. */
export const KEPT = [
  '$REPO/README.md',
  '$REPO/lib/other.ts',
  '$REPO/.claude/settings.local.json',
  '$REPO/.ai/config/repo.json',
  '$REPO/.git/hooks/pre-commit',
  '$HOME/.bashrc',
  '$HOME/.claude/settings.json',
  '$HOME/.cache/countersign/node',
  '$HOME/.cache/p10k-instant-prompt-you.zsh',
  '$HOME/.cache/pre-commit/repo/bin/hook',
  '$HOME/.npm/_npx/1a2b/node_modules/tool/run.js',
  '$HOME/.cargo/registry/src/index/serde/build.rs',
  '$OTHER/file',
];
/** Files that must not be read. */
export const SECRETS = [
  '$HOME/.ssh/id_rsa',
  '$HOME/.aws/credentials',
  '$HOME/.netrc',
  '$HOME/.npmrc',
  '$HOME/dotfiles/kube/config',
  '$GATE/keys/key',
  '$GATE/run/hook',
  '$REPO/.ai/auth/x.token',
];

const TALKERS: readonly Attack[] = [
  { name: 'tcp to a host port', run: 'timeout 2 bash -c "exec 9<>/dev/tcp/127.0.0.1/$PORT; cat <&9"' },
  { name: 'curl to a host port', run: 'curl -s --max-time 2 "http://127.0.0.1:$PORT/"' },
  {
    name: 'python to a host port',
    run: inPython('import os,socket\ns=socket.create_connection(("127.0.0.1",int(os.environ["PORT"])),2)\nprint(s.recv(100).decode())'),
  },
  {
    name: 'a socket in the temporary folder',
    run: inPython('import os,socket\ns=socket.socket(socket.AF_UNIX)\ns.connect(os.environ["SOCK"])\nprint(s.recv(100).decode())'),
  },
  {
    name: 'a socket of another program in the home',
    run: inPython('import os,socket\ns=socket.socket(socket.AF_UNIX)\ns.connect(os.environ["HOME_SOCK"])\nprint(s.recv(100).decode())'),
  },
  { name: 'settings of the machine in /proc', run: 'for f in /proc/mtrr /proc/scsi/scsi; do [ -w "$f" ] && echo "SECRET-PROC $f"; done' },
  {
    name: 'an abstract socket',
    run: inPython(
      'import socket,os\ns=socket.socket(socket.AF_UNIX)\ns.connect("\\0"+os.environ["ABSTRACT"])\nprint(s.recv(100).decode())',
    ),
  },
  {
    name: 'the network of a process outside',
    run: 'for p in /proc/[0-9]*; do nsenter --net=$p/ns/net timeout 1 bash -c "exec 9<>/dev/tcp/127.0.0.1/$PORT; cat <&9"; done',
  },
];

/** By the way out that the command was given for another host. */
const byProxy = (port: string) =>
  inPython(
    `import os,urllib.request as u\n[os.environ.pop(n,0) for n in ("no_proxy","NO_PROXY")]\no=u.build_opener(u.ProxyHandler({"http":os.environ["http_proxy"]}))\nprint(o.open("http://127.0.0.1:"+os.environ["${port}"]+"/",timeout=5).read().decode())`,
  );
export const GRANTED = byProxy('GRANTED_PORT');

const PERSISTENT: readonly Attack[] = [
  { name: 'a process outside is ended', run: 'kill -9 "$OUTSIDE_PID"' },
  { name: 'a process outside is traced', run: 'cat "/proc/$OUTSIDE_PID/environ" | tr "\\0" "\\n"' },
  { name: 'a system setting', run: 'echo BROKEN > /proc/sys/kernel/core_pattern; echo BROKEN > /proc/sys/kernel/hostname' },
  {
    name: 'a device',
    run: 'for d in /dev/sda /dev/vda /dev/nvme0n1 /dev/mem /dev/kmsg; do [ -e "$d" ] && echo "DEVICE $d is there: SECRET-DEVICE"; done',
  },
  { name: 'a privileged program', run: 'sudo -n id; su -c id; pkexec id' },
  { name: 'a capability', run: "grep -E 'Cap(Prm|Eff):' /proc/self/status | grep -v '0000000000000000' && echo SECRET-CAPABILITY" },
  { name: 'a crontab', run: 'echo "* * * * * id" | crontab -' },
  { name: 'a user service', run: 'mkdir -p ~/.config/systemd/user && echo BROKEN > ~/.config/systemd/user/x.service' },
  { name: 'a start-up file that does not exist yet', run: 'echo BROKEN > ~/.zshrc' },
  { name: 'a program on the PATH', run: 'mkdir -p ~/.local/bin && echo BROKEN > ~/.local/bin/git' },
];

const named = (text: string, forms: Readonly<Record<string, string>>, targets: readonly string[]): Attack[] =>
  targets.flatMap((target) =>
    Object.entries(forms).map(([how, run]) => ({ name: `${text} ${target} by ${how}`, run: `export T="${target}"\n${run}` })),
  );

/** Every way on the first target, and a few ways on each of the others. */
const few = (forms: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, forms[name] ?? 'false']));

export const ATTACKS: readonly Attack[] = [
  ...named('write', WRITERS, KEPT.slice(0, 1)),
  ...named('write', few(WRITERS, ['redirect', 'mv', 'rm', 'python', 'procRoot', 'userns', 'moveFolder']), KEPT.slice(1)),
  ...named('read', READERS, SECRETS.slice(0, 1)),
  ...named('read', few(READERS, ['cat', 'python', 'procRoot', 'userns']), SECRETS.slice(1)),
  ...TALKERS,
  { name: 'a host that was not granted, by the proxy', run: byProxy('PORT') },
  ...PERSISTENT,
];
