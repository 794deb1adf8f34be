import { growth } from './growth/main.ts'
import { http } from './http/main.ts'
import { ledger } from './ledger/main.ts'

const usage = `bin/bench http | growth | ledger [options]; bench/README.md says what each shows`

const commands: Record<string, (args: string[]) => Promise<number>> = { growth, http, ledger }

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
if (command) process.exitCode = await command(args)
else {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
}
