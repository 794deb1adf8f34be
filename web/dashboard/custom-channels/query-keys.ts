import { makeKey } from '../core/query-key.ts'

interface Place {
  project_id: string
  channel_id: string
}

export const customChannelKeys = {
  all: (projectId: string) => makeKey('custom channels', projectId),
  channel: ({ project_id, channel_id }: Place) => makeKey('custom channels', project_id, channel_id),
}
