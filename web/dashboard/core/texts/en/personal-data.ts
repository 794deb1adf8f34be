interface Counts {
  tickets: number
  messages: number
  files: number
  mails: number
  exports: number
}

const many = (count: number, one: string) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`

const some = (count: number, one: string) => (count > 0 ? [many(count, one)] : [])

export const personalData = {
  section: 'Personal data',
  sectionAbout: 'Export or delete everything that is stored about this person.',
  exportData: 'Export data',
  exportNote: 'The zip file includes the internal notes in this person’s tickets.',
  deleteTicket: 'Delete…',
  deleteContact: 'Delete contact…',
  ticketTitle: (number: string) => `Delete ticket #${number}?`,
  manyTitle: (count: number) => `Delete ${count} tickets?`,
  manyEffects: ['All messages of these tickets, with their files and original emails'],
  deleting: (done: number, all: number) => `Deleting: ${done} of ${all} tickets`,
  manyDone: (count: number) =>
    count === 1 ? '1 ticket is being deleted' : `${count} tickets are being deleted`,
  contactTitle: (name: string) => `Delete ${name}?`,
  effects: {
    ticket: ({ messages, files, mails }: Counts) => [
      many(messages, 'message'),
      ...some(files, 'file'),
      ...some(mails, 'original email'),
    ],
    contact: ({ tickets, messages, files, mails }: Counts) => [
      ...some(tickets, 'ticket'),
      ...some(messages, 'message'),
      ...some(files, 'file'),
      ...some(mails, 'original email'),
      'The contact, with all addresses, IDs and sessions',
    ],
  },
  exports: (count: number) =>
    `${many(count, 'finished export')} of the whole project, because ${count === 1 ? 'it contains' : 'they contain'} this data`,
  about: 'This deletes the following everywhere in Deskbell. It can’t be undone.',
  type: (words: string) => `Type “${words}” to confirm`,
  delete: 'Delete',
  progress: (done: number, all: number) =>
    `${done.toLocaleString('en')} of ${all.toLocaleString('en')} messages deleted`,
  finishing: 'Removing copies from exports, logs and search',
  leave: 'You can close this dialog. The deletion continues.',
  close: 'Close',
  done: 'Deleted',
}
