import type { TSchema } from 'typebox'
import * as bots from '../channels/telegram/bots/schema.ts'
import { botTexts } from '../channels/telegram/bots/texts-schema.ts'
import { telegramConversation } from '../channels/telegram/conversation.ts'

/** The names of the schemas about Telegram bots. */
export const telegramNames: Record<string, TSchema> = {
  TelegramBot: bots.telegramBot,
  TelegramBotList: bots.telegramBotList,
  TelegramBotToken: bots.botTokenInput,
  NewTelegramBot: bots.newTelegramBot,
  TelegramBotChange: bots.telegramBotChange,
  CheckedTelegramBot: bots.checkedTelegramBot,
  TelegramBotTrial: bots.telegramBotTrial,
  TelegramOutages: bots.telegramOutages,
  TelegramTextDefaults: bots.telegramTextDefaults,
  TelegramTexts: botTexts,
  TelegramConversation: telegramConversation,
  TelegramReceiving: bots.telegramBot.properties.receiving,
  TelegramBotState: bots.telegramBot.properties.state,
}
