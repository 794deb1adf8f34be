import { execFile } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { searchPath } from '../../config/config.ts'
import { SettingError, SetupError } from '../../config/setup-error.ts'
import { stringOf } from '../../objects.ts'
import { commandOf, type ProgramCall, type SystemAccount } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterOf } from './running.ts'
import { isAlive } from './sockets.ts'

const run = promisify(execFile)
const draftPrefix = 'postgres.new-'

const mainFile = `# Deskbell's settings are in deskbell.conf, which it rewrites at every start.
# Add your own settings below; they take precedence.
include 'deskbell.conf'
`

/** Creates the cluster in a temporary folder and then renames it, so that a killed first start leaves no incomplete one. */
export async function createCluster(
  dataDir: string,
  binaries: Binaries,
  account: SystemAccount,
): Promise<void> {
  const cluster = clusterOf(dataDir)
  removeDrafts(dataDir)
  if (existsSync(join(cluster, 'PG_VERSION'))) return refuseOtherMajor(cluster, binaries)
  const draft = join(dataDir, `${draftPrefix}${process.pid}`)
  mkdirSync(draft, { mode: 0o700 })
  changeOwner(draft, account)
  await initialise(draft, binaries, account)
  try {
    renameSync(draft, cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another Deskbell process created it first.
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error
  }
}

/** A major version of Postgres cannot read the files of another one. */
function refuseOtherMajor(cluster: string, { version }: Binaries): void {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const major = version.split('.')[0]!
  if (made === major) return
  throw new SettingError(
    `DATA_DIR: PostgreSQL ${made} made the database in ${cluster}, and this version of Deskbell comes with PostgreSQL ${major}, which cannot read it. Nothing was changed. Start the earlier version of Deskbell again, write a backup with it ("bin/deskbell backup FILE"), and restore that with this version into a new DATA_DIR ("bin/deskbell restore FILE"); docs/operations.md has the steps under Upgrades`,
  )
}

export const changeOwner = (path: string, { owner }: SystemAccount): void => {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

async function initialise(draft: string, binaries: Binaries, account: SystemAccount): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const rest = ['--username=deskbell', '--auth=trust', '--data-checksums', '--no-instructions']
  await runAs(account, [binaries.initdb, '-D', draft, ...locale, ...rest])
  const createDatabase = 'echo "create database deskbell" | "$0" --single -D "$1" postgres'
  await runAs(account, ['sh', '-c', createDatabase, binaries.postgres, draft])
  writeFileSync(join(draft, 'postgresql.conf'), mainFile)
}

async function runAs(account: SystemAccount, command: ProgramCall): Promise<void> {
  const [program, args] = commandOf(account.prefix, command)
  const { uid, gid } = account
  try {
    await run(program, args, { uid, gid, cwd: '/', env: postgresEnvironment() })
  } catch (error) {
    const words = String(stringOf(error, 'stderr') || error).trim()
    throw new SetupError(
      `DATA_DIR: Postgres could not create its data folder there: ${words.split('\n').pop()}`,
    )
  }
}

/** None of the caller's PG* or LC_* variables reach the server. */
export const postgresEnvironment = (): Record<string, string> => ({ PATH: searchPath, LC_ALL: 'C' })

function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(draftPrefix) || isAlive(Number(name.slice(draftPrefix.length)))) continue
    // The initdb of a killed start may still be writing there.
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
