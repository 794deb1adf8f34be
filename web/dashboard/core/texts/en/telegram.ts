/** Texts in Telegram tickets. */
export const telegram = {
  goesTo: (name: string, bot: string) => `Goes to ${name} in Telegram, from @${bot}`,
  goesToGroup: (name: string, bot: string) => `Goes to the group ${name} in Telegram, from @${bot}`,
  goesToTopic: (name: string, bot: string) =>
    `Goes to a topic in the group ${name} in Telegram, from @${bot}`,
  isBlocked: (name: string, time: string) =>
    `${name} has blocked the bot (${time}). Until they unblock it, a reply can reach them only by email, if replies by email are set up.`,
  isRemoved: (name: string, time: string) =>
    `The bot was removed from ${name} (${time}). Replies can’t be delivered until someone adds it back.`,
  isPaused: (bot: string) => `@${bot} is paused. Replies wait until an admin resumes it.`,
  isBroken: (bot: string) => `@${bot} isn’t working at the moment. Replies wait until an admin fixes it.`,
  hasFailed: (count: number) =>
    `${count === 1 ? '1 message' : `${count} messages`} in this chat couldn’t be read. An admin can try again in the settings of the bot.`,
  isGone: 'The Telegram bot of this conversation was deleted. Replies can’t be sent.',
  chat: 'Telegram',
  group: 'Group',
  topic: 'Topic in the group',
  bot: 'Bot',
  blockedSince: (time: string) => `Blocked the bot ${time}`,
  removedSince: (time: string) => `Bot removed ${time}`,
  personLink: (username: string) => `https://t.me/${encodeURIComponent(username)}`,
  openPerson: (username: string) => `Open @${username} in Telegram`,
}
