import type { Outlet } from '../../../messages/messages.ts'
import { createMessengerOutlet } from '../../messenger/outlet.ts'
import { customMessenger } from '../queries.ts'

const prefix = 'custom:'

/** The outlet of custom channels: queues messages for their programs. */
export const createCustomOutlet = (): Outlet => ({
  ...createMessengerOutlet({
    messenger: customMessenger,
    queue: 'custom',
    isAccount: (sql, channel) =>
      channel.startsWith(prefix) ? sql`a.name = ${channel.slice(prefix.length)}` : null,
  }),
  /** The program finds the new text in its list, or learns about the edit from `message.edited`. */
  editSent: async (_, { channel }) => channel.startsWith(prefix),
})
