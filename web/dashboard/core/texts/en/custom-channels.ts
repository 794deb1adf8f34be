import { pages } from './pages.ts'

export const customChannels = {
  title: pages.customChannels,
  about: 'Connect any messenger through a program that uses the API. Its messages become tickets.',
  none: 'No custom channels yet',
  noneAbout:
    'A custom channel connects a messenger that Deskbell doesn’t support. Your own program passes on your customers’ messages and sends your replies.',
  guide: 'Read the developer guide',
  back: 'All custom channels',
  add: 'Add channel',
  settings: 'Settings',
  channelTitle: 'Title',
  titleAbout: 'What your team sees, such as the name of the messenger.',
  titleNeeded: 'Enter a title.',
  name: 'Name in the API',
  nameAbout: (channel: string) =>
    `Can’t be changed later. Tickets get the channel ${channel}. Use lower-case letters, digits, - and _.`,
  nameNeeded: 'Start with a letter or a digit. Use up to 32 lower-case letters, digits, - and _.',
  /** The suggestion for a title without Latin letters. */
  usualName: 'channel',
  color: 'Colour',
  department: 'Department',
  anyDepartment: 'Default department',
  picture: 'Picture',
  pictureAbout:
    'A square picture, such as the messenger’s logo. Without one, the first letter of the title is shown.',
  choosePicture: 'Choose picture',
  removePicture: 'Remove picture',
  pictureNotSaved: (reason: string) => `The channel was added, but without its picture. ${reason}`,
  states: { active: 'Active', paused: 'Paused' },
  status: 'Status',
  isPaused: 'This channel is paused',
  isPausedAbout:
    'Deskbell refuses messages from the program, which should keep them and try again. Replies wait until the channel is resumed.',
  isLate: 'The program isn’t sending replies',
  isLateAbout: (count: number, since: string) =>
    `${count === 1 ? '1 reply has' : `${count} replies have`} been waiting for the program since ${since}. Check that the program is running and can reach this server.`,
  waiting: (count: number) =>
    count === 1 ? '1 reply is waiting for the program' : `${count} replies are waiting for the program`,
  lastReceived: 'last message',
  neverReceived: 'no messages yet',
  lastRequest: 'last request from the program',
  neverRequested: 'no requests from the program yet',
  oldest: 'the oldest was written',
  pause: 'Pause',
  turnOn: { paused: 'Resume' },
  connect: 'Connect your program',
  connectAbout:
    'The program needs an API key for this project. It posts each customer message, sends the waiting replies and reports the results. It can safely repeat each of these requests.',
  channelId: 'Channel ID',
  steps: {
    message: 'Customer message',
    outgoing: 'Waiting replies',
    delivery: 'Delivery report',
  },
  stepAbouts: {
    message:
      'Post each message with its ID in the messenger. Messages with the same ID are stored only once.',
    outgoing:
      'Read this list when the program starts and after each message.created event. A reply stays in the list until its delivery is reported.',
    delivery:
      'Report sent, delivered, read or failed. If a reply failed, your team sees the reason and can send it again.',
  },
  sample: { name: 'Ann', content: 'Where is my order?' },
  remove: 'Delete channel',
  removeTitle: (title: string) => `Delete ${title}?`,
  removeAbout: 'Deskbell will refuse further requests from the program for this channel.',
  removeEffects: [
    'Tickets and their messages are kept, including open tickets.',
    'Replies in these tickets can no longer be sent. Replies that are waiting for the program will fail.',
  ],
}
