// A set-up problem that a person can fix. The message says what to do; the exit code is 3.

export class SetupFailure extends Error {
  constructor(message) {
    super(message);
    this.name = 'SetupFailure';
  }
}

const CONNECT = 'Connect and run npm start again, or put Node 24.15 or newer on PATH.';

/** What a failed file operation means, or the error itself when a person cannot fix it. */
export function fromFileError(error, folder) {
  if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') return readOnly(folder);
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return diskFull(folder);
  return error;
}

export function saysDiskFull(lines) {
  return lines.some((line) => /\b(ENOSPC|EDQUOT)\b/.test(line));
}

/** What npm's message means. `folder` is where it had to write. */
export function fromNpmOutput(step, lines, folder) {
  const said = lines.join('\n');
  const says = (...codes) => codes.some((code) => said.includes(code));
  if (saysDiskFull(lines)) return diskFull(folder);
  if (says('EROFS')) return readOnly(folder);
  const errors = lines.filter((line) => /^npm (error|ERR!)/.test(line));
  const tell = (what, advice) =>
    new SetupFailure([what, ...(errors.length > 0 ? errors : lines).slice(-5).map((line) => `  ${line}`), advice].join('\n'));
  if (says('EACCES', 'EPERM')) {
    return tell(
      `${step} failed: npm may not write where it has to. It said:`,
      'Give your user the folder that npm names, or clone somewhere writable.',
    );
  }
  if (says('EINTEGRITY'))
    return tell(
      `${step} failed: what npm received is not what was published. It said:`,
      'Run `npm cache verify` and try again; if it stays, do not trust the network that you are on.',
    );
  return tell(says(...OFFLINE) ? `${step} failed: the network cannot be reached. npm said:` : `${step} failed. npm said:`, CONNECT);
}

const OFFLINE = ['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'ENETUNREACH', 'ENOTCACHED', 'ERR_SOCKET_TIMEOUT'];

function readOnly(folder) {
  return new SetupFailure(`${folder} cannot be written: this folder is read-only; clone it somewhere writable.`);
}

function diskFull(folder) {
  return new SetupFailure(`The disk that holds ${folder} is full; free some space and run the command again.`);
}
