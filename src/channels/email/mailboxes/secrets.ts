import type { Vault } from '../../../core/crypto.ts'
import type { MailboxSecrets } from './mailbox.ts'

const labelOf = (projectId: string, id: string): string => `mailboxes ${projectId} ${id}`

export const sealSecrets = (vault: Vault, projectId: string, id: string, secrets: MailboxSecrets): Buffer =>
  vault.seal(JSON.stringify(secrets), labelOf(projectId, id))

export const openSecrets = (
  vault: Vault,
  { project_id, id, secrets }: { project_id: string; id: string; secrets: Buffer | null },
): MailboxSecrets => (secrets ? JSON.parse(vault.open(secrets, labelOf(project_id, id))) : {})
