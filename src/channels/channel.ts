import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import type { DueJob } from '../core/due/due-loop.ts'
import type { Job } from '../core/due/job.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { Mailer } from '../core/mail/mail.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Storages } from '../media/media.ts'
import type { Outlet } from '../messages/messages.ts'
import type { MessageByEmail } from './email-instead.ts'

/** What a channel adds to the server. */

export interface ChannelDeps {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

export type OutletDeps = Pick<ChannelDeps, 'config' | 'vault'>

export interface ChannelApiDeps {
  storages: Storages
  vault: Vault
}

export interface ChannelDashboardDeps extends OutletDeps, ChannelApiDeps {
  publicUrl: string
  sessionIdOf(request: FastifyRequest): string
}

export interface ChannelWork extends ChannelDeps {
  /** Emails a message that the contact cannot receive in the channel. */
  sendByEmail: MessageByEmail
}

export interface ChannelJobDeps extends ChannelDeps {
  mailer: Mailer | null
}

export interface Channel {
  /** The outlet sends the channel's messages. */
  createOutlet(deps: OutletDeps): Outlet
  /** Operations of the public API. */
  api?(deps: ChannelApiDeps): Endpoint[]
  dashboard(deps: ChannelDashboardDeps): Endpoint[]
  /** Routes under `/api/<path>` that the messenger calls without an API key. */
  routes?: { path: string; mount(app: FastifyInstance, deps: ChannelDeps & { limiter: Limiter }): void }
  /** Starts the channel's work in a process with the role `channels`. */
  start?(deps: ChannelWork): Promise<{ stop(): Promise<void> }> | { stop(): Promise<void> }
  jobs?(deps: ChannelJobDeps): Job[]
  dueJobs?(deps: ChannelJobDeps): DueJob[]
}
