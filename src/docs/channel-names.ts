import type { TSchema } from 'typebox'
import * as channels from '../channels/custom/schema.ts'

const { items: waiting } = channels.waitingMessages.properties.items

/** The names of the schemas about custom channels. */
export const channelNames: Record<string, TSchema> = {
  CustomChannel: channels.customChannel,
  CustomChannelState: channels.customChannel.properties.state,
  CustomChannelList: channels.customChannelList,
  NewCustomChannel: channels.newCustomChannel,
  CustomChannelChange: channels.customChannelChange,
  CustomChannelPicture: channels.channelPicture,
  ChannelMessage: channels.channelMessage,
  ChannelContact: channels.channelMessage.properties.contact,
  ChannelMessageChange: channels.channelMessageChange,
  OutgoingMessages: channels.waitingMessages,
  OutgoingMessage: waiting,
  OutgoingContact: waiting.properties.contact,
  ChannelDelivery: channels.channelDelivery,
  ChannelDeliveryStatus: channels.channelDelivery.properties.status,
}
