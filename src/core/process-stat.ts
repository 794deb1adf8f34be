import { readFileSync } from 'node:fs'

/** Parent and start time of a process, from the kernel; null if it has ended or there is no /proc. */
export function readStat(pid: number): { parent: number; start: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name comes first, in brackets, and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), start: fields[19]! }
  } catch {
    return null
  }
}
