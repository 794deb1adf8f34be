import { Readable } from 'node:stream'
import { bytes, type Endpoint, endpoint } from '../../core/endpoint.ts'
import { BriefError } from '../../core/errors.ts'
import { pictureHeaders, readPicture } from '../../core/picture.ts'
import { createAccountOperations } from '../accounts/account-api.ts'
import { readingChannels } from './api.ts'
import {
  changeChannel,
  changeChannelPicture,
  createChannel,
  deleteChannel,
  getChannel,
  pauseChannel,
  resumeChannel,
} from './custom-channels.ts'
import { findChannelPicture } from './queries.ts'
import * as schema from './schema.ts'

/** The dashboard's operations for custom channels. */

const tag = 'Channels'
const minRole = 'admin'
const path = '/channels/{channel_id}'

/** What the operations that change a channel have in common. */
const change = { tag, path, minRole, responses: { 200: schema.customChannel } } as const

const operations = createAccountOperations<schema.CustomChannel>({
  ...{ tag, path, noun: 'a custom channel', notFound: 'CHANNEL_NOT_FOUND', shape: schema.customChannel },
  show: (_, channel) => channel,
})

const changing: Endpoint[] = [
  operations.create(
    { summary: 'Create a custom channel', body: schema.newCustomChannel, errors: ['CHANNEL_EXISTS'] },
    call => createChannel(call.db, call, call.body),
  ),
  operations.change(
    { description: 'Only the fields in the request change.', body: schema.customChannelChange },
    (call, id) => changeChannel(call.db, call, id, call.body, call.version),
  ),
  operations.setState(
    'pause',
    { description: 'Its program cannot post messages, and replies wait.' },
    pauseChannel,
  ),
  operations.setState(
    'resume',
    { description: 'Its program can post and send messages again.' },
    resumeChannel,
  ),
  operations.delete(
    {
      summary: 'Delete a custom channel',
      description: 'Its tickets are kept. Messages that wait for its program fail.',
    },
    (call, id) => deleteChannel(call.db, call, id),
  ),
]

const pictures: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${path}/picture`,
    tag,
    summary: "Get a custom channel's picture",
    responses: { 200: bytes },
    errors: ['CHANNEL_NOT_FOUND', 'file_not_found'],
    async run({ db, project, params, reply }) {
      const { id } = await getChannel(db, project.id, params.channel_id!)
      const picture = await findChannelPicture(db, project.id, id)
      if (!picture) throw new BriefError('file_not_found')
      reply.headers(pictureHeaders(picture))
      return Readable.from([picture.bytes])
    },
  }),
  endpoint({
    ...change,
    method: 'PUT',
    path: `${path}/picture`,
    summary: "Set a custom channel's picture",
    description: 'PNG, JPEG or WebP, up to 256 KiB.',
    body: schema.channelPicture,
    errors: ['CHANNEL_NOT_FOUND', 'VALIDATION_ERROR'],
    async run(call) {
      const picture = await readPicture(Buffer.from(call.body.content, 'base64'))
      return changeChannelPicture(call.db, call, call.params.channel_id!, picture)
    },
  }),
  endpoint({
    ...change,
    method: 'DELETE',
    path: `${path}/picture`,
    summary: "Remove a custom channel's picture",
    errors: ['CHANNEL_NOT_FOUND'],
    run: call => changeChannelPicture(call.db, call, call.params.channel_id!, null),
  }),
]

export const channelDashboard: Endpoint[] = [...readingChannels, ...changing, ...pictures]
