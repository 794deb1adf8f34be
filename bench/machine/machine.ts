import { fork } from 'node:child_process'
import { join } from 'node:path'

/** What shows the limits of the machine: a load, a server that only answers, and the database's driver alone. */
export function startMachine() {
  const start = (name: string) => fork(join(import.meta.dirname, `${name}.ts`))
  return { load: start('load'), bare: start('bare'), database: start('database') }
}
