import type { Sql } from '../../../core/db/db.ts'
import type { MailVerdict } from '../../../mail/authentication.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { Writer } from '../../../mail/sender.ts'
import { listMatchingPatterns } from './sender-pattern.ts'
import { listSenderVerdicts } from './sender-queries.ts'
import type { SenderVerdict } from './sender-schema.ts'

/** Finds the project's rule for the sender of an email. */

interface SenderFacts {
  writer: Writer
  /** The addresses of mailboxes and operators, in lower case. Rules do not apply to them. */
  exempt: string[]
  dmarc: MailVerdict
}

export interface SenderJudgement {
  /** The pattern of the rule that blocks the sender; null if the sender is not blocked. */
  blockedBy: string | null
  isAllowed: boolean
}

interface Rule {
  pattern: string
  verdict: SenderVerdict
}

/**
 * The most specific rule for an address decides. Anyone can put an allowed address in From, so a rule that allows it does not count if DMARC
 * failed. A sender can make the DMARC check take too long, so `temperror` is no better than `fail`.
 */
function findRule(address: string, verdicts: Map<string, SenderVerdict>, dmarc: MailVerdict): Rule | null {
  const isDoubtful = dmarc === 'fail' || dmarc === 'temperror'
  for (const pattern of listMatchingPatterns(address)) {
    const verdict = verdicts.get(pattern)
    if (verdict === 'blocked' || (verdict === 'allowed' && !isDoubtful)) return { pattern, verdict }
  }
  return null
}

/** DMARC covers From only, so a rule that allows a sender applies to From only. A blocked sender is also blocked behind a form. */
export async function judgeSender(
  sql: Sql,
  projectId: string,
  { headers: { from } }: Pick<Mail, 'headers'>,
  { writer, exempt, dmarc }: SenderFacts,
): Promise<SenderJudgement> {
  const addresses = [from, writer.contact]
    .flatMap(sender => (sender ? [sender.address] : []))
    .filter(address => !exempt.includes(address.toLowerCase()))
  const patterns = [...new Set(addresses.flatMap(listMatchingPatterns))]
  const found = await listSenderVerdicts(sql, projectId, patterns)
  const verdicts = new Map(found.map(({ pattern, verdict }) => [pattern, verdict]))
  const rules = addresses.map(address => ({ address, rule: findRule(address, verdicts, dmarc) }))
  return {
    blockedBy: rules.find(({ rule }) => rule?.verdict === 'blocked')?.rule?.pattern ?? null,
    isAllowed: rules.some(({ address, rule }) => address === from?.address && rule?.verdict === 'allowed'),
  }
}
