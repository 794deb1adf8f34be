import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { billing } from './billing.ts'
import { cluster } from './cluster/main.ts'
import { files } from './files/main.ts'
import { growth } from './growth/main.ts'
import { http } from './http/main.ts'
import { idle } from './idle.ts'
import { inbox } from './inbox/main.ts'
import { ledger } from './ledger/main.ts'
import { limits } from './limits/main.ts'
import { live } from './live/main.ts'
import { page } from './page/main.ts'
import { requests } from './requests/main.ts'
import { results, startRecording } from './results.ts'
import { updates } from './updates/main.ts'
import { widget } from './widget/main.ts'

/** A program of its own: it starts itself again as the receiver. */
async function delivery(args: string[]): Promise<number> {
  const program = fileURLToPath(new URL('delivery/main.ts', import.meta.url))
  return spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' }).status ?? 1
}

const usage = `bin/bench billing | cluster | http | files | delivery | growth | idle | inbox | ledger | limits | live | page | requests | results | updates | widget [options]; bench/README.md says what each shows`

const commands: Record<string, (args: string[]) => Promise<number>> = {
  billing,
  cluster,
  delivery,
  files,
  growth,
  http,
  idle,
  inbox,
  ledger,
  updates,
  limits,
  live,
  page,
  requests,
  results,
  widget,
}

const [name = '', ...args] = startRecording(process.argv.slice(2))
const command = commands[name]
if (command) process.exitCode = await command(args)
else {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
}
