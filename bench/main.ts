import { billing } from './billing.ts'
import { churn } from './churn/main.ts'
import { delivery } from './delivery/main.ts'
import { chaos } from './chaos/main.ts'
import { files } from './files/main.ts'
import { growth } from './growth/main.ts'
import { http } from './http/main.ts'
import { idle } from './idle.ts'
import { inbox } from './inbox/main.ts'
import { leaving } from './leaving/main.ts'
import { injection } from './injection/main.ts'
import { ledger } from './ledger/main.ts'
import { limits } from './limits/main.ts'
import { live } from './live/main.ts'
import { load } from './load/main.ts'
import { page } from './page/main.ts'
import { records } from './records/main.ts'
import { requests } from './requests/main.ts'
import { results, startRecording } from './results.ts'
import { updates } from './updates/main.ts'
import { webhooks } from './webhooks/main.ts'
import { widget } from './widget/main.ts'

/** A program of its own: it starts itself again as the receiver. */
async function delivery(args: string[]): Promise<number> {
  const program = fileURLToPath(new URL('delivery/main.ts', import.meta.url))
  return spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' }).status ?? 1
}

const usage = `bin/bench billing | http | files | delivery | growth | idle | inbox | injection | ledger | limits | live | page | requests | results | updates | widget [options]; bench/README.md says what each shows`

const commands: Record<string, (args: string[]) => Promise<number>> = {
  billing,
  churn,
const usage = `bin/bench billing | chaos | http | files | delivery | growth | idle | inbox | ledger | limits | live | page | requests | results | updates | widget [options]; bench/README.md says what each shows`
  chaos,
  delivery,
  files,
  growth,
  http,
  idle,
  inbox,
  leaving,
  injection,
  ledger,
  updates,
  limits,
  live,
  load,
  page,
  records,
  requests,
  results,
  webhooks,
  widget,
}

const usage = `bin/bench ${Object.keys(commands).sort().join(' | ')} [options]; bench/README.md says what each shows`

const [name = '', ...args] = startRecording(process.argv.slice(2))
const command = commands[name]
if (command) process.exitCode = await command(args)
else {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
}
