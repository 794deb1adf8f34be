import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { refreshContacts, tryChange } from './change.ts'
import { changeIdentity, type KnownIdentity, referenceOf, removeIdentity } from './identity-calls.ts'
import { IdentityForm } from './identity-form.tsx'
import { MoveIdentity } from './move-identity.tsx'
import type { Contact } from './queries.ts'
import { CodeDialog, ReasonDialog } from './verify-dialogs.tsx'

const { identities: words } = pageText.contactProfile

export type DialogName = 'code' | 'reason' | 'correct' | 'move' | 'remove'

interface Props {
  contact: Contact
  identity: KnownIdentity
  /** The identity as it is shown to people. */
  name: string
  open: DialogName | null
  onClose(): void
}

/** The dialogs of an identity's menu. */
export function IdentityDialogs({ contact, identity, name, open, onClose }: Props) {
  const shared = { contact, identity, onClose }
  const refresh = () => refreshContacts(contact.workspace_id)
  return (
    <>
      <CodeDialog {...shared} isOpen={open === 'code'} />
      <ReasonDialog {...shared} isOpen={open === 'reason'} />
      <IdentityForm
        isOpen={open === 'correct'}
        title={words.correct}
        about={words.correctAbout}
        action={words.correct}
        corrected={identity.value}
        send={(_type, value) => changeIdentity(contact, identity, { value })}
        onDone={refresh}
        onClose={onClose}
      />
      {open === 'move' && <MoveIdentity {...shared} name={name} />}
      <Confirm
        isOpen={open === 'remove'}
        title={words.removeTitle(name)}
        about={words.removeAbout}
        action={words.remove}
        run={() => tryChange(contact.workspace_id, () => removeIdentity(contact, referenceOf(identity)))}
        onClose={onClose}
      />
    </>
  )
}
