import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, type Environment, listGiven, root } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import { measureDisk } from '../core/disk.ts'
import { addressRuleOf } from '../core/http/address.ts'
import { describeOpenFiles } from '../core/http/open-files.ts'
import { type Check, check, listSome } from './check.ts'
import { findMisspelledSettings } from './misspelled-settings.ts'

/** Checks that need neither the database nor the network. */

const gibibyte = 2 ** 30

/** With less free space, Postgres will stop soon. */
const minFree = gibibyte

export function describeSettings(environment: Environment): string {
  const misspelt = findMisspelledSettings(environment)
  if (misspelt.length) throw new SetupError(misspelt.join('; '))
  const given = listGiven(environment)
  return given.length ? `set: ${given.join(', ')}` : 'all have their default values'
}

/** Free inodes. With fewer, no new files can be created soon, even if there is space. */
const minEntries = 10_000

export function describeDisk(dataDir: string, measure = measureDisk): string {
  if (!existsSync(dataDir))
    throw new SetupError(
      `DATA_DIR: the folder ${dataDir} does not exist; set DATA_DIR to the folder of your installation, or start the server, which creates it`,
    )
  const folder = realpathSync(dataDir)
  const { free, entries } = measure(folder)
  if (entries < minEntries)
    throw new SetupError(
      `the disk of DATA_DIR ${folder} has room for only ${entries} more files (df -i); delete files, or move it to a larger disk`,
    )
  if (free >= minFree) return `DATA_DIR ${folder} has ${(free / gibibyte).toFixed(1)} GiB free`
  throw new SetupError(
    `DATA_DIR ${folder} has only ${(free / gibibyte).toFixed(2)} GiB free; free disk space or move it to a larger disk before the database stops`,
  )
}

/** How many project folders are checked at most. */
const maxFolders = 1_000

function listFolders(dataDir: string): string[] {
  const files = join(dataDir, 'files')
  const projects = existsSync(files) ? readdirSync(files).slice(0, maxFolders) : []
  return [dataDir, files, join(dataDir, 'processes'), ...projects.map(name => join(files, name))]
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A restore run by root leaves files that the server's user cannot write to. */
export function describeOwner(dataDir: string, canUse = isUsable): string {
  const closed = listFolders(dataDir).filter(path => existsSync(path) && !canUse(path))
  if (closed.length === 0) return 'DATA_DIR can be written to'
  const user = process.geteuid!()
  throw new SetupError(
    `the user ${user} may not write to ${listSome(closed)}; give it all of DATA_DIR: chown -R ${user} ${dataDir}`,
  )
}

/** All encrypted secrets depend on this file. */
function describeKeyFile({ secretKey, dataDir }: Config): string {
  const path = join(dataDir, 'secret.key')
  if (secretKey) return 'SECRET_KEY is set'
  if (!existsSync(path)) return 'the first start will create it'
  const others = statSync(path).mode & 0o077
  if (others === 0) return `${path} is readable by its owner only`
  throw new SetupError(`${path} can be read by other users of this machine; close it: chmod 600 ${path}`)
}

const parts = ['dashboard', 'widget']

function describePages(folder: string): string {
  const missing = parts.filter(name => !existsSync(join(folder, name, 'stamp')))
  if (missing.length === 0) return 'the dashboard and the widget are built'
  throw new SetupError(`${missing.join(' and ')}: not built, so people see no page; run: bin/deskbell build`)
}

export const examineMachine = (
  config: Config,
  { environment, pages = join(root, 'web/dist') }: { environment: Environment; pages?: string },
): Promise<Check[]> =>
  Promise.all([
    check('settings', () => describeSettings(environment)),
    check('disk', () => describeDisk(config.dataDir)),
    check('owner', () => describeOwner(config.dataDir)),
    check('key file', () => describeKeyFile(config)),
    check('pages', () => (config.roles.has('http') ? describePages(pages) : 'not shown by this process')),
    check('webhooks', () => addressRuleOf(config).describe()),
    check('open files', () => describeOpenFiles(config)),
  ])
