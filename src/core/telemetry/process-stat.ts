import { readFileSync } from 'node:fs'

/** Parent and start time of a process, from the kernel; null if it has ended or there is no /proc. */
export function readStat(pid: number): { parent: number; start: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in parentheses and may contain any character, so parse the text after the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), start: fields[19]! }
  } catch {
    return null
  }
}
