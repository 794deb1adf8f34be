/** Says why a Telegram message failed, as part of a sentence in the ticket. */

/** Deskbell's codes, and parts of Telegram's answers. */
const reasons: [RegExp, string][] = [
  [/^empty$/, 'it has no text and no file'],
  [/^file_missing$/, 'one of its files is missing from the storage'],
  [/^unreachable$/, 'the server could not be reached for 12 hours'],
  [/blocked by the user/, 'the person has blocked the bot'],
  [/user is deactivated/, 'the person has deleted their Telegram account'],
  [/can't initiate conversation/, 'the person has not written to the bot'],
  [/bot was kicked|bot is not a member/, 'the bot was removed from the group'],
  [/not enough rights|have no rights|CHAT_WRITE_FORBIDDEN/, 'the bot is not allowed to write in the group'],
  [/chat not found/, 'the chat no longer exists'],
  [/TOPIC_CLOSED|message thread not found/, 'the topic was closed or deleted'],
]

/** Any other answer is quoted without its code, for example “message is too strange”. */
export function wordTelegramFailure(words: string): string {
  const known = reasons.find(([pattern]) => pattern.test(words))
  return known?.[1] ?? `Telegram answered “${words.replace(/^\d+ ((Bad Request|Forbidden): )?/, '')}”`
}
