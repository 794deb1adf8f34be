import { account } from './en/account.ts'
import { codes, failure, problems, reasons } from './en/failures.ts'
import { people } from './en/people.ts'
import { shell } from './en/shell.ts'
import { users } from './en/users.ts'

export const en = { account, codes, failure, people, problems, reasons, shell, users }
