import { account } from './en/account.ts'
import { contacts, live } from './en/contacts.ts'
import { cannedAnswers, customFields, departments, notifications, savedViews } from './en/desk.ts'
import { codes, failure, problems, reasons } from './en/failures.ts'
import { actions, inbox } from './en/inbox.ts'
import { keys, requests, webhooks } from './en/integrations.ts'
import { composer, messages } from './en/messages.ts'
import { audit, billing, exports } from './en/owner.ts'
import { people } from './en/people.ts'
import { conflict, project } from './en/project.ts'
import { provider } from './en/provider.ts'
import { files, knowledge, tags } from './en/records.ts'
import { shell } from './en/shell.ts'
import { users } from './en/users.ts'
import { widget } from './en/widget.ts'

export const en = {
  account,
  actions,
  audit,
  billing,
  cannedAnswers,
  codes,
  composer,
  conflict,
  contacts,
  customFields,
  departments,
  exports,
  failure,
  files,
  inbox,
  keys,
  knowledge,
  live,
  messages,
  notifications,
  people,
  problems,
  project,
  provider,
  reasons,
  requests,
  savedViews,
  shell,
  tags,
  users,
  webhooks,
  widget,
}
