import type { Sql } from '../../core/db/db.ts'
import { foldEmail } from '../../core/email.ts'

/** The addresses of the project and of the people who work in it. */
export interface OwnAddresses {
  /** The addresses of the mailboxes, and those given with `--own`. */
  addresses: string[]
  /** Addresses of web forms that send on behalf of others. */
  formSenders: string[]
  /** Whether an email from this address was written by an operator, sent by the project, or written by a contact. */
  kindOf(address: string): 'operator' | 'project' | 'contact'
}

interface MailboxAddresses {
  address: string
  aliases: string[]
  form_senders: string[]
}

/** `named` contains addresses, and domains such as `@acme.example`. */
export async function findOwnAddresses(sql: Sql, projectId: string, named: string[]): Promise<OwnAddresses> {
  const mailboxes = await sql<MailboxAddresses[]>`
    select address, aliases, form_senders from mailboxes where project_id = ${projectId}`
  const people = await sql<{ email: string }[]>`
    select email from operators where project_id = ${projectId}`
  const operators = new Set(people.map(({ email }) => foldEmail(email)))
  const isDomain = (one: string): boolean => one.startsWith('@')
  const domains = named.filter(isDomain).map(one => foldEmail(`x${one}`).slice(1))
  const addresses = [
    ...mailboxes.flatMap(({ address, aliases }) => [address, ...aliases]),
    ...named.filter(one => !isDomain(one)),
  ].map(foldEmail)
  const own = new Set(addresses)
  return {
    addresses,
    formSenders: mailboxes.flatMap(one => one.form_senders),
    kindOf(address) {
      const folded = foldEmail(address)
      if (operators.has(folded)) return 'operator'
      return own.has(folded) || domains.some(domain => folded.endsWith(domain)) ? 'project' : 'contact'
    },
  }
}
