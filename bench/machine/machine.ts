import { fork } from 'node:child_process'
import { join } from 'node:path'

const start = (name: string) => fork(join(import.meta.dirname, `${name}.ts`))

export const startLoad = () => start('load')

/** Measures the limits of the machine: a load generator, a bare HTTP server, and the database's driver alone. */
export const startMachine = () => ({ load: startLoad(), bare: start('bare'), database: start('database') })
