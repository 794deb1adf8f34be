import type { Channel } from '../channel.ts'
import { channelEndpoints } from './api.ts'
import { channelDashboard } from './dashboard.ts'
import { reportChannelOutage } from './notices/report-outage.ts'
import { createCustomOutlet } from './outgoing/outlet.ts'

export const customChannels: Channel = {
  createOutlet: createCustomOutlet,
  api: () => channelEndpoints,
  dashboard: () => channelDashboard,
  jobs: ({ config, mailer }) => [
    {
      name: 'email admins about custom channels that fail',
      everyMs: 60_000,
      run: db => reportChannelOutage(db, mailer && { ...config, mailer }),
    },
  ],
}
