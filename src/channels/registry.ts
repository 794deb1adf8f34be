import type { FastifyInstance } from 'fastify'
import type { DueJob } from '../core/due/due-loop.ts'
import type { Job } from '../core/due/job.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { type Store, withHooks } from '../events/log.ts'
import type { Limiter } from '../limits/limiter.ts'
import type {
  Channel,
  ChannelApiDeps,
  ChannelDashboardDeps,
  ChannelDeps,
  ChannelJobDeps,
  OutletDeps,
} from './channel.ts'
import { customChannels } from './custom/channel.ts'
import { emailChannel } from './email/channel.ts'
import { createEmailInstead } from './email-instead.ts'
import { telegramChannel } from './telegram/channel.ts'
import { widgetChannel } from './widget/channel.ts'
import { isInChat } from './widget/reply-notices.ts'

export type { ChannelDashboardDeps, ChannelDeps } from './channel.ts'

/** All channels except the API. If several could send a reply, the first whose outlet accepts it sends it. */
const channels: Channel[] = [telegramChannel, widgetChannel, emailChannel, customChannels]

/** Connects a pool's changes with the channels that send messages. Called for each pool through which messages are written. */
export function connectChannels(deps: OutletDeps & { db: Store }): void {
  const outlets = channels.map(({ createOutlet }) => createOutlet(deps))
  withHooks(deps.db, { outlets, isInChat })
}

/** The channels' operations of the public API. */
export const channelApi = (deps: ChannelApiDeps): Endpoint[] =>
  channels.flatMap(({ api }) => api?.(deps) ?? [])

/** The channels' operations of the dashboard. */
export const channelsDashboard = (deps: ChannelDashboardDeps): Endpoint[] =>
  channels.flatMap(({ dashboard }) => dashboard(deps))

/** The routes that messengers call. */
export async function mountChannels(
  app: FastifyInstance,
  deps: ChannelDeps & { limiter: Limiter },
): Promise<void> {
  for (const { routes } of channels)
    if (routes) await app.register(async part => routes.mount(part, deps), { prefix: `/api/${routes.path}` })
}

/** Starts the work of a process with the role `channels`. */
export async function startChannels(deps: ChannelDeps): Promise<{ stop(): Promise<void> }[]> {
  connectChannels(deps)
  const work = { ...deps, sendByEmail: createEmailInstead(deps) }
  const started: { stop(): Promise<void> }[] = []
  for (const { start } of channels) if (start) started.push(await start(work))
  return started
}

export const channelJobs = (deps: ChannelJobDeps): Job[] => channels.flatMap(({ jobs }) => jobs?.(deps) ?? [])

export const channelDueJobs = (deps: ChannelJobDeps): DueJob[] =>
  channels.flatMap(({ dueJobs }) => dueJobs?.(deps) ?? [])
