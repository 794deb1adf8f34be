import { parseArgs } from 'node:util'
import { withDatabase } from '../../src/cli/session.ts'
import { SetupError } from '../../src/core/config/setup-error.ts'
import { withoutTimeout } from '../../src/core/db/db.ts'
import { UnknownIdError } from '../../src/projects/projects.ts'
import { seed } from './seed.ts'

const usage = `bin/seed [--tickets 10000] [--messages 50000] [--contacts 2000] [--events 10000] [--project ID] [--seed 1]

Fills one project (a new one unless --project names it) of the database of DATA_DIR or DATABASE_URL.`

const options = {
  tickets: { type: 'string', default: '10000' },
  messages: { type: 'string' },
  contacts: { type: 'string' },
  events: { type: 'string' },
  project: { type: 'string' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean', short: 'h' },
} as const

class WrongNumber extends Error {}

function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new WrongNumber(`seed needs a whole number after --${name}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options })
  if (values.help) return console.log(usage)
  const tickets = Math.max(1, count('tickets', values.tickets, 10_000))
  const messages = count('messages', values.messages, tickets * 5)
  const size = {
    tickets,
    messages,
    contacts: Math.max(1, count('contacts', values.contacts, Math.ceil(tickets / 5))),
    events: Math.min(messages, count('events', values.events, 10_000)),
    seed: count('seed', values.seed, 1),
  }
  const tell = (text: string) => process.stderr.write(text)
  const order = { ...size, projectId: values.project ?? null }
  const made = await withDatabase(({ db }) => withoutTimeout(db, own => seed(own, order, tell)))
  console.log(JSON.stringify(made))
}

try {
  await main()
} catch (error) {
  const { code, message, stack } = error as Error & { code?: string }
  const isMistake =
    error instanceof WrongNumber || error instanceof UnknownIdError || code?.startsWith('ERR_PARSE_ARGS')
  process.stderr.write(`${isMistake || error instanceof SetupError ? message : stack}\n`)
  process.exitCode = isMistake ? 2 : 1
}
