import { Alert, Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAction } from '../core/actions.ts'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { AttachmentList } from './attachment-list.tsx'
import classes from './composer.module.css'
import { ComposerFoot } from './composer-foot.tsx'
import { type Composing, type Trouble, useComposing } from './composing.ts'
import { DraftState, OtherDraft } from './draft-state.tsx'
import { answerMessage } from './editing.ts'
import { Editor, type EditorHandle } from './editor.tsx'
import { senderOf } from './message.tsx'
import { senderChoicesQuery } from './recipient-queries.ts'
import { SendButtons } from './send-buttons.tsx'

const ReplyEmail = lazily(() => import('./reply-email.tsx'))
const UnreadEmail = lazily(() => import('./unread-email.tsx'))

type Kind = 'reply' | 'note'

/** The editor for a reply or a note. */
export function Composer({ projectId, ticket }: { projectId: string; ticket: Ticket }) {
  const [kind, setKind] = useState<Kind>('reply')
  const editor = useRef<EditorHandle>(null)
  const isInternal = kind === 'note'
  const composing = useComposing({ projectId, ticket, isInternal, onSent: () => editor.current?.focus() })
  const choose = (next: Kind) => {
    // Synchronously, because the next key already belongs to the text.
    flushSync(() => setKind(next))
    editor.current?.focus()
  }
  const group = text.actions.group
  useAction({ id: 'reply', name: text.actions.reply, group, keys: 'r', run: () => choose('reply') })
  useAction({ id: 'note', name: text.actions.note, group, keys: 'n', run: () => choose('note') })
  return (
    <section
      className={classes.composer}
      data-note={isInternal || undefined}
      aria-label={text.composer.label}
    >
      <Group justify="space-between" gap="xs" mb={6}>
        <KindChoice kind={kind} onChoose={setKind} />
        <DraftState composing={composing} />
      </Group>
      {!isInternal && <ByEmail composing={composing} />}
      <OtherDraft composing={composing} />
      <Circumstances composing={composing} />
      <Editor
        ref={editor}
        key={kind}
        place={composing.place}
        draft={composing.draft}
        label={isInternal ? text.composer.note : text.composer.reply}
        placeholder={isInternal ? text.composer.noteHere : text.composer.replyHere}
        onSend={() => composing.send()}
      />
      <AttachmentList place={composing.place} files={composing.draft.files} />
      <TroubleAlert trouble={composing.trouble} />
      <ComposerFoot place={composing.place} draft={composing.draft} editor={editor}>
        <SendButtons composing={composing} />
      </ComposerFoot>
    </section>
  )
}

/** By the channel of the ticket. */
const byEmail: Record<string, typeof ReplyEmail> = { email: ReplyEmail, api: ReplyEmail, widget: UnreadEmail }

/** Whether and how the reply is sent by email. In other channels, it needs a mailbox. */
function ByEmail({ composing }: { composing: Composing }) {
  const { projectId, ticket } = composing
  const isEmail = ticket.channel === 'email'
  const Way = byEmail[ticket.channel]
  const needsMailbox = Way !== undefined && !isEmail
  const { data: senders = [] } = useQuery({ ...senderChoicesQuery(projectId), enabled: needsMailbox })
  if (!Way || (needsMailbox && senders.length === 0)) return null
  return (
    <Suspense fallback={isEmail && <div className={classes.email} />}>
      <Way composing={composing} />
    </Suspense>
  )
}

const KindChoice = ({ kind, onChoose }: { kind: Kind; onChoose(kind: Kind): void }) => (
  <SegmentedControl
    size="xs"
    aria-label={text.composer.label}
    value={kind}
    onChange={value => onChoose(value as Kind)}
    data={[
      { value: 'reply', label: text.composer.reply },
      { value: 'note', label: text.composer.note },
    ]}
  />
)

/** Notices for the writer before sending. */
function Circumstances({ composing }: { composing: Composing }) {
  const { answered, isInternal, ticket } = composing
  return (
    <>
      {ticket.contact.is_blocked && !isInternal && (
        <Alert p={6} mb={6}>
          {text.composer.blocked}
        </Alert>
      )}
      {answered && (
        <Alert
          p={6}
          mb={6}
          withCloseButton
          closeButtonLabel={text.composer.dropAnswer}
          onClose={() => answerMessage(null)}
        >
          {text.composer.answering(senderOf(answered))}
        </Alert>
      )}
    </>
  )
}

/** The reason why it could not be sent, and what to do. */
export function TroubleAlert({ trouble }: { trouble: Trouble | null }) {
  // Fields show their own errors.
  if (!trouble || trouble.fields) return null
  return (
    <Alert color="red" role="alert" p="xs" my={6}>
      <Group justify="space-between" gap="xs">
        {trouble.words}
        {trouble.action && (
          <Button size="compact-sm" variant="white" onClick={trouble.run}>
            {trouble.action}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
