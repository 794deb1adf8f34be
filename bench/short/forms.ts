import { globSync } from 'node:fs'
import { dirname } from 'node:path'

/** Options for a run of a few seconds of every bench, which shows that it works but not its figures. */
export const forms: Record<string, string> = {
  backup: '--times 1 --messages 1000 --large 100 --files 10',
  channel: '--messages 100 --contacts 10 --kills 1',
  churn: '--minutes 0.1 --tickets 40',
  facts: '--events 300 --kills 3',
  conditions: '--tickets 1000 --messages 4000 --runs 1',
  delivery: '--seconds 1 --only latency,fan',
  files: '--only broken',
  growth: '--tickets 2000 --messages 8000 --runs 1 --only ^tickets.\\?status=open',
  http: '--seconds 1 --rounds 1 --connections 8 --tickets 20',
  idle: '--seconds 1 --starts 1',
  import: '--mails 400 --kills 2 --tickets 300',
  inbox: '--tickets 1000 --messages 5000 --runs 1',
  leaving: '--only waits --polls 5',
  limits: '--seconds 0.2 --rounds 1 --pace 1 --calls 600',
  live: '--tabs 40 --seconds 1',
  load: '--seconds 1 --only mixed --rate 100 --waiting 8 --tickets 40',
  mail: '--only throughput,delay,large,folder --mails 40 --waits 3 --bytes 5000000 --existing 20000',
  page: '--tickets 1000 --rounds 1 --switches 2 --letters 5 --rows 200',
  records: '--tickets 1000 --runs 1 --only claim|look|job',
  requests: '--seconds 0.3 --rounds 1 --connections 8 --tickets 20',
  send: '--seconds 2 --rate 10 --mailboxes 4',
  telegram: '--seconds 2 --rate 10 --chats 10 --updates 100',
  updates: '--only tell --seconds 1',
  upgrade: '--tickets 1000 --messages 4000 --minutes 2',
  webhooks: '--only stops --stops 3',
  widget: '--widgets 40 --seconds 1',
}

/** Short forms of the benches whose promises do not depend on the machine's load. They run with the tests. */
export const exactForms: Record<string, string> = {
  billing: '--histories 20 --workers 1',
  bulk: '--tickets 200',
  injection: '--each 240 --only GET./tickets/\\{ticket_id\\}.path',
  ledger: '--events 300',
}

/** Programs that some benches need. */
export const programs: Record<string, string> = { injection: 'sqlmap', mail: 'dovecot', page: 'chromium' }

/** Benches that keep data between runs get a separate folder. */
export const keepers = ['conditions', 'growth', 'inbox', 'page', 'records', 'upgrade']

/** Folders that are not benches: the seed, and this runner. */
const others = ['seed', 'short']

export const listBenches = (): string[] =>
  globSync('*/main.ts', { cwd: dirname(import.meta.dirname) })
    .map(path => dirname(path))
    .filter(name => !others.includes(name))
    .sort()
