import { account } from './en/account.ts'
import { codes, failure, problems, reasons } from './en/failures.ts'
import { keys, requests, webhooks } from './en/integrations.ts'
import { audit, billing, exports } from './en/owner.ts'
import { people } from './en/people.ts'
import { conflict, project } from './en/project.ts'
import { files, knowledge, tags } from './en/records.ts'
import { shell } from './en/shell.ts'
import { users } from './en/users.ts'

export const en = {
  account,
  audit,
  billing,
  codes,
  conflict,
  exports,
  failure,
  files,
  keys,
  knowledge,
  people,
  problems,
  project,
  reasons,
  requests,
  shell,
  tags,
  users,
  webhooks,
}
