import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The current resources of a process, from the kernel. */
interface Started {
  child: ChildProcess
}

const read = (pid: number, name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')

/** In MB. */
export const memoryOf = ({ child }: Started): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(child.pid!, 'status'))![1]) / 1024

/** In MB. Only private memory that is not mapped from files, so that the values of several processes can be added. */
export function privateMemoryOf(pid: number): number {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0) / 1024
  } catch {
    // The process has already exited.
    return 0
  }
}

/** The number of open descriptors, such as files and sockets. */
export const countOpen = ({ child }: Started): number => readdirSync(`/proc/${child.pid}/fd`).length

/** The process and its descendants. */
export function listTree(pid: number): number[] {
  const children = read(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(listTree)]
}

const isMailWorker = (pid: number): boolean => {
  try {
    return read(pid, 'cmdline').includes('src/mail/worker.ts')
  } catch {
    return false
  }
}

/** The memory of a server and its workers that parse email, in MB. */
export const memoryWithWorkers = (server: Started): number =>
  listTree(server.child.pid!)
    .filter(isMailWorker)
    .reduce((sum, pid) => sum + privateMemoryOf(pid), memoryOf(server))
