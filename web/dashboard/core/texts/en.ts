import { systemTexts as system } from '../../../../src/tickets/system-texts.ts'
import { bulk } from './en/bulk.ts'
import { codes, notPossible } from './en/codes.ts'
import { conflict } from './en/conflict.ts'
import { contacts, live } from './en/contacts.ts'
import { creating } from './en/creating.ts'
import { customTickets } from './en/custom-tickets.ts'
import { email } from './en/email.ts'
import { emailFields } from './en/email-fields.ts'
import { failure, problems, reasons } from './en/failures.ts'
import { forward } from './en/forward.ts'
import { history } from './en/history.ts'
import { actions, inbox } from './en/inbox.ts'
import { composer, messages, pictures } from './en/messages.ts'
import { notifications } from './en/notifications.ts'
import { pages } from './en/pages.ts'
import { personalData } from './en/personal-data.ts'
import { shell } from './en/shell.ts'
import { telegram } from './en/telegram.ts'
import { time } from './en/time.ts'
import { undo } from './en/undo.ts'

export const en = {
  actions,
  bulk,
  codes,
  composer,
  conflict,
  contacts,
  creating,
  customTickets,
  email,
  emailFields,
  forward,
  failure,
  history,
  inbox,
  live,
  messages,
  notPossible,
  notifications,
  pages,
  personalData,
  pictures,
  problems,
  reasons,
  shell,
  system,
  telegram,
  time,
  undo,
}
