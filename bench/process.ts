import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds at this moment, as the kernel tells it. */
interface Started {
  child: ChildProcess
}

const read = (pid: number, name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')

/** In MB. */
export const memoryOf = ({ child }: Started): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(child.pid!, 'status'))![1]) / 1024

/** In MB: what is its own and no file's, so that it can be added to that of others. */
export function privateMemoryOf(pid: number): number {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/** Descriptors: files, sockets and all else that it has open. */
export const countOpen = ({ child }: Started): number => readdirSync(`/proc/${child.pid}/fd`).length

/** The process and those below it. */
export function listTree(pid: number): number[] {
  const children = read(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(listTree)]
}
