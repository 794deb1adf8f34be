import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { message } from '../../messages/schema.ts'
import { deleteChannelMessage, editChannelMessage } from '../messenger/change-message.ts'
import { postChannelMessage } from '../messenger/post-message.ts'
import { getChannel, listChannels, useActiveChannel, useChannel } from './custom-channels.ts'
import { listWaiting } from './outgoing/list-waiting.ts'
import { reportDelivery } from './outgoing/report-delivery.ts'
import { customMessenger, updateChannelUse } from './queries.ts'
import * as schema from './schema.ts'

/** The operations that the program of a custom channel uses. */

const tag = 'Channels'
const path = '/channels/{channel_id}'

export const readingChannels: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/channels',
    tag,
    summary: 'List custom channels',
    description:
      "The project's custom channels, oldest first, each with the number of messages that wait for its program.",
    responses: { 200: schema.customChannelList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listChannels(db, project.id) }),
  }),
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Read a custom channel',
    description: 'Its settings, its state, and the number of messages that wait for its program.',
    responses: { 200: schema.customChannel },
    errors: ['CHANNEL_NOT_FOUND'],
    run: ({ db, project, params }) => getChannel(db, project.id, params.channel_id!),
  }),
]

const receiving: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: `${path}/messages`,
    tag,
    summary: "Post a contact's message",
    description:
      "The contact is found by `contact.external_id`, or created. The message is added to the contact's ticket in this channel, or opens one. " +
      'If that ticket was closed long ago, a new ticket follows it. The status is 201 if the message is new, and 200 with the earlier message ' +
      "if its `external_id` was posted before, so a program can repeat a request until it gets a response. Post a contact's messages one " +
      "after another to keep their order. Messages are accepted even after the plan's limit of tickets is reached.",
    body: schema.channelMessage,
    responses: { 201: message, 200: message },
    errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_PAUSED', 'CONTACT_BLOCKED', 'MESSAGE_EMPTY', 'VALIDATION_ERROR'],
    async run(call) {
      const { db, project, reply, body } = call
      const channel = await useActiveChannel(call.db, call.project.id, call.params.channel_id!)
      const account = { ...channel, channel: `custom:${channel.name}` }
      const posted = await postChannelMessage(db, call, { messenger: customMessenger, account }, body)
      await updateChannelUse(db, project.id, channel.id, 'last_received_at')
      reply.code(posted.isNew ? 201 : 200)
      return posted.message
    },
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/messages/{external_id}`,
    tag,
    summary: "Edit a contact's message",
    description:
      'Passes on an edit that the contact made in the messenger. Replaces the content and emits `message.edited`. A deleted message does not change.',
    body: schema.channelMessageChange,
    responses: { 200: message },
    errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_PAUSED', 'MESSAGE_NOT_FOUND', 'MESSAGE_EMPTY', 'VALIDATION_ERROR'],
    async run(call) {
      const { db, project, params, body } = call
      const { id } = await useActiveChannel(db, project.id, params.channel_id!)
      return editChannelMessage(db, customMessenger, project.id, id, params.external_id!, body)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/messages/{external_id}`,
    tag,
    summary: "Delete a contact's message",
    description:
      'Passes on a deletion that the contact made in the messenger. The message stays in the ticket without its content and its files, and ' +
      '`deleted_at` contains the time. Emits `message.edited` with empty content.',
    responses: { 200: message },
    errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_PAUSED', 'MESSAGE_NOT_FOUND'],
    async run(call) {
      const { db, project, params } = call
      const { id } = await useActiveChannel(db, project.id, params.channel_id!)
      return deleteChannelMessage(db, customMessenger, project.id, id, params.external_id!)
    },
  }),
]

const sending: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${path}/outgoing`,
    tag,
    summary: 'List the messages that are waiting to be sent',
    description:
      "Public messages from operators and bots in this channel's tickets, oldest first. A message stays in the list until its delivery " +
      'is reported, so a program that was down finds here what it has missed. `message.created` only means that there may be a new message. ' +
      'If a program stops after sending a message and before reporting it, it finds the message here again.',
    query: schema.outgoingQuery,
    responses: { 200: schema.waitingMessages },
    errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_PAUSED'],
    async run(call) {
      const channel = await useActiveChannel(call.db, call.project.id, call.params.channel_id!)
      return { items: await listWaiting(call.db, call.project.id, channel.id, call.query.limit ?? 50) }
    },
  }),
  endpoint({
    method: 'POST',
    path: `${path}/deliveries`,
    tag,
    summary: 'Report the delivery of a message',
    description:
      'Each status removes the message from the list of waiting messages. The status only moves forward, from `sent` to `delivered` to `read`; ' +
      'an earlier or repeated status changes nothing. `failed` is possible until the message is `delivered`. The operator then sees `error` ' +
      'and can retry, which puts the message back in the list.',
    body: schema.channelDelivery,
    responses: { 200: message },
    errors: ['CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    async run(call) {
      const channel = await useChannel(call.db, call.project.id, call.params.channel_id!)
      return reportDelivery(call.db, call.project.id, channel, call.body)
    },
  }),
]

export const channelEndpoints: Endpoint[] = [...readingChannels, ...receiving, ...sending]
