import { systemTexts as system } from '../../../../src/tickets/system-texts.ts'
import { codes, notPossible } from './en/codes.ts'
import { conflict } from './en/conflict.ts'
import { contacts, live } from './en/contacts.ts'
import { email } from './en/email.ts'
import { emailFields } from './en/email-fields.ts'
import { failure, problems, reasons } from './en/failures.ts'
import { forward } from './en/forward.ts'
import { actions, inbox } from './en/inbox.ts'
import { composer, messages } from './en/messages.ts'
import { notifications } from './en/notifications.ts'
import { pages } from './en/pages.ts'
import { shell } from './en/shell.ts'

export const en = {
  actions,
  codes,
  composer,
  conflict,
  contacts,
  email,
  emailFields,
  forward,
  failure,
  inbox,
  live,
  messages,
  notPossible,
  notifications,
  pages,
  problems,
  reasons,
  shell,
  system,
}
