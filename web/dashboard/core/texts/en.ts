import { account } from './en/account.ts'
import { contacts, live } from './en/contacts.ts'
import { codes, failure, problems, reasons } from './en/failures.ts'
import { actions, inbox } from './en/inbox.ts'
import { composer, messages } from './en/messages.ts'
import { people } from './en/people.ts'
import { shell } from './en/shell.ts'
import { users } from './en/users.ts'

export const en = {
  account,
  actions,
  codes,
  composer,
  contacts,
  failure,
  inbox,
  live,
  messages,
  people,
  problems,
  reasons,
  shell,
  users,
}
