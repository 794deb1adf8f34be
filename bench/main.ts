import { billing } from './billing.ts'
import { churn } from './churn/main.ts'
import { delivery } from './delivery/main.ts'
import { files } from './files/main.ts'
import { growth } from './growth/main.ts'
import { http } from './http/main.ts'
import { idle } from './idle.ts'
import { inbox } from './inbox/main.ts'
import { leaving } from './leaving/main.ts'
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

const commands: Record<string, (args: string[]) => Promise<number>> = {
  billing,
  churn,
  delivery,
  files,
  growth,
  http,
  idle,
  inbox,
  leaving,
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
