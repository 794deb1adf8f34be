import assert from 'node:assert/strict'
import { createEmailInstead } from '../../src/channels/email-instead.ts'
import { createBotApis } from '../../src/channels/telegram/bot-api/bot-apis.ts'
import type { SendingDeps } from '../../src/channels/telegram/outgoing/open-send.ts'
import { startSendingTelegram } from '../../src/channels/telegram/outgoing/telegram-channel.ts'
import { createStorages } from '../../src/media/media.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import { listMessages, openBot } from './bots.ts'

/** Sends messages to a stand-in. */

interface Cleaner {
  after(run: () => unknown): void
}

const quickTimes = { pauses: [20, 40, 80], uncertainMs: 50 }

export function sendMessages(
  context: Cleaner,
  { config, db, vault, log }: TestServer,
  times: Partial<Pick<SendingDeps, 'pauses' | 'uncertainMs'>> = quickTimes,
  leaseMs = 60_000,
): { stop(): Promise<void> } {
  const apis = createBotApis({ config })
  const storages = createStorages({ config, db, vault })
  const own = { db, vault, log, storages, apis, publicUrl: config.publicUrl }
  const deps = { ...own, sendByEmail: createEmailInstead({ vault }), ...times }
  const sending = startSendingTelegram(deps, { tickMs: 30, leaseMs })
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await sending.stop()
    apis.close()
  }
  context.after(stop)
  return { stop }
}

/** Opens a chat with a ticket, and returns them with a function that replies. */
export async function openConversation(t: Cleaner, server: TestServer, fields = {}) {
  const opened = await openBot(t, server, fields)
  opened.ann.say('Hello')
  await opened.settled()
  const [message] = await listMessages(server, opened.ann.person.id)
  const ticketId = message!.ticket_id
  const reply = async (content: string, more: object = {}): Promise<string> => {
    const { body, status } = await server.api.post(`/tickets/${ticketId}/messages`, { content, ...more })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  return { ...opened, ticketId, messageId: message!.id, reply }
}

export async function findDelivery(server: TestServer, id: string) {
  return (await server.api.get(`/messages/${id}`)).body.delivery
}

/** Waits until a message is sent or fails, and returns its delivery. */
export const waitForDelivery = (server: TestServer, id: string) =>
  until(async () => {
    const delivery = await findDelivery(server, id)
    return delivery.status !== 'pending' && delivery
  })
