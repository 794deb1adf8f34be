import { Button } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { beginSignInAgain, type Mailbox } from './queries.ts'

const codes = ['access_revoked', 'access_denied', 'app_in_testing']

/** Whether signing in again fixes the problem. An app-only mailbox has no user to sign in. */
export const needsSignIn = ({ last_error, imap }: Mailbox): boolean =>
  imap?.oauth?.grant === 'refresh_token' && codes.includes(last_error?.code ?? '')

export function SignInAgain({ mailbox }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const begin = useChange({
    send: () => beginSignInAgain({ project_id, mailbox_id: mailbox.id }),
    onDone: ({ authorize_url }) => location.assign(authorize_url),
  })
  return (
    <Button mt="sm" loading={begin.isPending} onClick={() => begin.mutate()}>
      {pageText.mailboxes.signInAgain}
    </Button>
  )
}
