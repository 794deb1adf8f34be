import { setTimeout as sleep } from 'node:timers/promises'
import { round } from '../figures.ts'
import { openMeter } from '../processor.ts'
import { makeUsualMail, putMails } from './mails.ts'
import { command, countHandled, deliver, type Stage, saveMails, tell } from './stage.ts'

interface Measured {
  /** Emails a second, from the first ticket to the last one. */
  rate: number
  /** The processor time of each email in milliseconds, which other programs affect less. */
  server: number
  database: number
}

async function measure(stage: Stage, total: number, begin: () => Promise<unknown>): Promise<Measured> {
  const meter = openMeter(stage.server, stage.dataDir)
  const spent = meter()
  const before = await countHandled(stage)
  const beginning = begin()
  const reach = async (count: number) => {
    while ((await countHandled(stage)) - before < count) await sleep(20)
    return performance.now()
  }
  const begun = await reach(1)
  const ended = await reach(total)
  await beginning
  const { server, database } = meter()
  return {
    rate: (total - 1) / ((ended - begun) / 1_000),
    server: (server - spent.server) / total,
    database: (database - spent.database) / total,
  }
}

export async function throughput(stage: Stage, { mails }: { mails: number }): Promise<boolean> {
  const make = () => Array.from({ length: mails }, () => makeUsualMail())
  await command(stage, 'mailbox', 'pause', stage.supportId)
  putMails(stage.dovecot.maildir('support'), make())
  const byImap = await measure(stage, mails, () => command(stage, 'mailbox', 'resume', stage.supportId))
  const delivered = saveMails(stage, make())
  const byLmtp = await measure(stage, mails, () =>
    deliver(stage, stage.lmtpPort, 'listen@example.com', delivered, { connections: 4 }),
  )
  const describe = ({ rate, server, database }: Measured) =>
    `${round(rate, 0)}/s (processor time of each: server ${round(server, 1)} ms, Postgres ${round(database, 1)} ms)`
  const measured = `${mails} each: by IMAP ${describe(byImap)}, by LMTP over 4 connections ${describe(byLmtp)}`
  return tell('M1', measured, byImap.rate >= 60 && byLmtp.rate >= 60)
}
