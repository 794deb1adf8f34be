import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { SettingError } from '../../config/setup-error.ts'
import { type Binaries, findBinaries, publishBinaries } from './binaries.ts'
import { clusterOf } from './running.ts'

/** The user that runs Postgres: `prefix` is put before the command, `uid` and `gid` are set when it is started. */
export interface SystemAccount {
  owner: { uid: number; gid: number } | null
  uid?: number
  gid?: number
  prefix: string[]
}

/** A program and its arguments. */
export type ProgramCall = [string, ...string[]]

/** Postgres refuses to run as root, so root runs it as another user that can reach the programs and the data. */
export function chooseSystemAccount(dataDir: string): { account: SystemAccount; binaries: Binaries } {
  const native = findBinaries()
  if (process.getuid?.() !== 0) return { account: { owner: null, prefix: [] }, binaries: native }
  const owner =
    findOwner(clusterOf(dataDir)) ?? findOwner(dataDir) ?? findUser('postgres') ?? findUser('nobody')
  const plain = { owner, uid: 65534, gid: 65534, prefix: [], ...owner }
  const binaries = canRun(plain, native) ? native : publishBinaries(native)
  const account =
    canRun(plain, binaries) && [plain, ...listCapableAccounts(plain)].find(one => canEnter(one, dataDir))
  if (account) return { account, binaries }
  throw new SettingError(
    `DATA_DIR: Postgres refuses to run as root, and user ${plain.uid} cannot run it on ${dataDir}; move the folder to a place that ` +
      'other users may enter, install setpriv (util-linux), run Deskbell as an ordinary user, or set DATABASE_URL',
  )
}

/** With one of these capabilities, the user can pass through closed parent folders such as /root. Containers often have only the second. */
function listCapableAccounts({ uid, gid }: { uid: number; gid: number }): SystemAccount[] {
  const ids = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups']
  return ['dac_read_search', 'dac_override'].map(capability => ({
    owner: { uid, gid },
    prefix: ['setpriv', ...ids, '--inh-caps', `+${capability}`, '--ambient-caps', `+${capability}`, '--'],
  }))
}

const canRun = (account: SystemAccount, { postgres }: Binaries): boolean =>
  succeeds(account, postgres, '--version')

const canEnter = (account: SystemAccount, dataDir: string): boolean =>
  succeeds(account, 'sh', '-c', 'cd "$0"', dataDir)

/** The program and its arguments, of which the prefix may be the first. */
export function commandOf(
  prefix: string[],
  [name, ...given]: ProgramCall,
): [program: string, args: string[]] {
  const [first, ...others] = prefix
  return first === undefined ? [name, given] : [first, [...others, name, ...given]]
}

function succeeds({ uid, gid, prefix }: SystemAccount, ...command: ProgramCall): boolean {
  const [program, args] = commandOf(prefix, command)
  return spawnSync(program, args, { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
}

function findOwner(path: string): { uid: number; gid: number } | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

function findUser(name: string): { uid: number; gid: number } | null {
  const line = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : null
}
