import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { SetupError } from '../core/config/setup-error.ts'
import { codeOf, errorOf } from '../core/thrown.ts'
import { type ProcessEntry, processFolderOf } from './answer.ts'
import type { Check } from './check.ts'

/** Queries the servers that run on a DATA_DIR. */

/** In milliseconds. More than the longest check takes. */
const maxAnswer = 60_000

interface Answer {
  title: string
  checks: Check[]
}

function listEntries(dataDir: string): { file: string; entry: ProcessEntry }[] {
  const folder = processFolderOf(dataDir)
  try {
    const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : []
    return names
      .map(name => join(folder, name))
      .map(file => ({ file, entry: JSON.parse(readFileSync(file, 'utf8')) as ProcessEntry }))
  } catch (error) {
    throw new SetupError(
      `DATA_DIR: cannot read ${folder} (${codeOf(error)}); run this command as the user who runs the server, or as root`,
    )
  }
}

const silent = ({ pid, roles }: ProcessEntry, reason: string): Check[] => [
  {
    name: 'server',
    ok: false,
    message: `process ${pid} (${roles.join(', ')}) does not answer (${reason}): it hangs or is overloaded; check its log and restart it`,
  },
]

/** Null if the process is gone: a killed process leaves its file. */
async function ask({ file, entry }: { file: string; entry: ProcessEntry }): Promise<Answer | null> {
  const title = `process ${entry.pid} (${entry.roles.join(', ')})`
  try {
    const response = await fetch(`http://127.0.0.1:${entry.port}`, {
      headers: { authorization: `Bearer ${entry.token}` },
      signal: AbortSignal.timeout(maxAnswer),
    })
    if (response.ok) return { title, checks: (await response.json()) as Check[] }
    if (response.status === 500) return { title, checks: silent(entry, await response.text()) }
  } catch (error) {
    const { cause, name } = errorOf(error)
    if (codeOf(cause) !== 'ECONNREFUSED') return { title, checks: silent(entry, name) }
  }
  rmSync(file, { force: true })
  return null
}

/** Queries the servers of this machine only, because those of another one that shares the folder listen on its loopback address. */
export async function askServers(dataDir: string): Promise<Answer[]> {
  const own = listEntries(dataDir).filter(({ entry }) => entry.host === hostname())
  return (await Promise.all(own.map(ask))).filter(answer => answer !== null)
}
