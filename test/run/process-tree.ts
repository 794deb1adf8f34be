import { execFileSync } from 'node:child_process'
import { type Program, postmasterOf } from './program.ts'

/** The processes of a server with the embedded Postgres. */

interface ProcessTree {
  postmaster: number
  keepers: number[]
  all: number[]
}

/** The server, the shells that watch its Postgres, Postgres itself and its children. */
export function listProcessTree(server: Program, dataDir: string): ProcessTree {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map(line => line.trim().split(/\s+/).map(Number) as [number, number])
  const childrenOf = (parent: number) => processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
  const postmaster = postmasterOf(dataDir)
  const keeper = processes.find(([pid]) => pid === postmaster)![1]
  const keepers = [keeper, ...childrenOf(keeper).filter(pid => pid !== postmaster)]
  return { postmaster, keepers, all: [server.child.pid!, ...keepers, postmaster, ...childrenOf(postmaster)] }
}

/** Kills the processes that have not ended yet. Some end by themselves, because others are gone. */
export function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error
    }
  }
}
