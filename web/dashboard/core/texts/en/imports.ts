import { pages } from './pages.ts'

interface Counts {
  organizations: number
  contacts: number
  tickets: number
  messages: number
  files: number
}

const many = (count: number, one: string) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`

export const imports = {
  title: pages.imports,
  about:
    'Data imported from other systems with the API or the command line. Imported conversations keep their times and authors. An import sends no messages and notifies nobody.',
  none: 'No imports yet',
  last: 'Last import:',
  counts: ({ organizations, contacts, tickets, messages, files }: Counts) =>
    [
      many(tickets, 'ticket'),
      many(messages, 'message'),
      many(contacts, 'new contact'),
      ...(organizations > 0 ? [many(organizations, 'new organization')] : []),
      many(files, 'file'),
    ].join(' · '),
  kept: (count: number) =>
    `${many(count, 'ticket')} kept, because ${count === 1 ? 'it has' : 'they have'} messages that are not from the import`,
  removing: 'Removing',
  remove: 'Remove',
  removeTitle: (source: string) => `Remove the import ${source}?`,
  removeAbout: (tickets: number) =>
    `This deletes ${many(tickets, 'ticket')} with their messages and files, and imported contacts and organizations that have nothing else. This can’t be undone.`,
  force: 'Also delete tickets with messages that are not from the import',
  begun: 'The import is being removed. You can leave this page.',
}
