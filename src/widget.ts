import type { FastifyInstance } from 'fastify'
import { createTranscripts } from './channels/email/outgoing/transcript.ts'
import { createTelegramLinks } from './channels/telegram/conversation.ts'
import { widgetEndpoints } from './channels/widget/api.ts'
import type { ChatDeps } from './channels/widget/deps.ts'
import { callerOfRequest, guardWidget } from './channels/widget/gate.ts'
import { openStreamHub } from './channels/widget/stream-hub.ts'
import { mount } from './core/http/mount.ts'
import type { Log } from './core/telemetry/log.ts'
import { storeResponses } from './keys/idempotency.ts'
import { limitConcurrency } from './limits/concurrency.ts'
import { showWidget } from './web-widget.ts'

type Deps = Omit<ChatDeps, 'streamHub' | 'sendTranscript' | 'makeTelegramLink'> & {
  log: Log
  stopping: AbortSignal
}

const prefix = '/api/widget/projects/:project_id'

/** Mounts the operations of visitors, and the pages of the chat. */
export async function mountWidget(app: FastifyInstance, deps: Deps): Promise<void> {
  const streamHub = openStreamHub(deps)
  app.addHook('onClose', async () => streamHub.stop())
  const definitions = widgetEndpoints({
    ...{ ...deps, streamHub, sendTranscript: createTranscripts(deps) },
    makeTelegramLink: createTelegramLinks(deps),
  })
  const open = new Set(
    definitions
      .filter(({ isPublic }) => isPublic)
      .map(({ path }) => prefix + path.replaceAll(/\{(\w+)\}/g, ':$1')),
  )
  showWidget(app, deps)
  await app.register(
    async chat => {
      limitConcurrency(chat, deps.config.requestsAtOnce)
      guardWidget(chat, deps, url => open.has(url))
      mount(chat, definitions, { db: deps.db, callerOf: callerOfRequest, wrap: storeResponses(deps.vault) })
    },
    { prefix },
  )
}
