import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../../core/thrown.ts'

/** Temporary folders of emails. Their names contain the host and the process, so that those of a killed process are recognised. */

const prefix = 'deskbell-mail-'

const nameOf = (pid: number): string => `${prefix}${hostname().replaceAll(/[^\w]/g, '_')}-${pid}-`

/** The folders of this process. After a restart in a container, its process often has the same number. */
const own = new Set<string>()

export async function makeMailFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), nameOf(process.pid)))
  own.add(folder)
  return folder
}

export async function deleteMailFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  own.delete(folder)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const isAbandoned = (folder: string, pid: number): boolean =>
  pid === process.pid ? !own.has(folder) : !isRunning(pid)

/** Deletes the folders that killed processes of this host left. Those of other hosts may be in use, even if no process here has their number. */
export async function deleteAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/-(\d+)-[^-]+$/.exec(name)?.[1])
    if (!pid || !name.startsWith(nameOf(pid))) continue
    const folder = join(tmpdir(), name)
    if (isAbandoned(folder, pid)) await rm(folder, { recursive: true, force: true })
  }
}
