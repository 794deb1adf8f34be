import type { ChannelMailTexts } from './shape.ts'

export const enChannelMails: ChannelMailTexts = {
  outage: {
    subject: 'Replies in the channel {title} are not being sent',
    title: 'Replies in {title} are waiting',
    paragraphs: [
      'Replies in the channel {title} have been waiting for at least 15 minutes. The program that connects this messenger to Deskbell should fetch and send them.',
      'Check that the program is running and can reach Deskbell. Once it works again, it can send the waiting replies.',
    ],
    action: 'Open the channel',
    small: 'You’re receiving this because you’re an admin of {project}. Deskbell sends one email per outage.',
  },
}
