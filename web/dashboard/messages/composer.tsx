import { Alert, Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { isCustom } from '../channels/custom-channels.ts'
import { useAction } from '../core/actions.ts'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useEditorRef } from '../rich-text/editor-handle.ts'
import type { Ticket } from '../tickets/queries.ts'
import { AttachmentList } from './attachment-list.tsx'
import classes from './composer.module.css'
import { ComposerFoot } from './composer-foot.tsx'
import { type Composing, type Sent, type Trouble, useComposing } from './composing.ts'
import { DraftState, OtherDraft } from './draft-state.tsx'
import { answerMessage } from './editing.ts'
import { Editor } from './editor.tsx'
import { useInsertionTarget } from './insertion.ts'
import { senderOf } from './message.tsx'
import { senderChoicesQuery } from './recipient-queries.ts'
import { SendButtons } from './send-buttons.tsx'
import { captureSendKey, useSendWays } from './send-ways.ts'
import { captureUndoKey } from './undo.ts'

const CustomReply = lazily(() => import('./custom-reply.tsx'))
const ReplyEmail = lazily(() => import('./reply-email.tsx'))
const TelegramReply = lazily(() => import('./telegram-reply.tsx'))
const UnreadEmail = lazily(() => import('./unread-email.tsx'))

type Kind = 'reply' | 'note'

interface Props {
  projectId: string
  ticket: Ticket
  /** Returns whether another ticket or the list was opened. */
  onSent(sent: Sent): boolean
  onUndone(sent: Sent): void
}

/** The editor for a reply or a note. */
export function Composer({ projectId, ticket, onSent, onUndone }: Props) {
  const [kind, setKind] = useState<Kind>('reply')
  const editor = useEditorRef()
  const isInternal = kind === 'note'
  const finish = (sent: Sent) => {
    const isLeft = onSent(sent)
    if (!isLeft) editor.current?.focus()
    return isLeft
  }
  const composing = useComposing({ projectId, ticket, isInternal, onSent: finish, onUndone })
  const ways = useSendWays(composing)
  const choose = (next: Kind) => {
    // Synchronously, because the next key already belongs to the text.
    flushSync(() => setKind(next))
    editor.current?.focus()
  }
  useInsertionTarget(composing.place, words => editor.current?.insert(words))
  const group = text.actions.group
  useAction({ id: 'reply', name: text.actions.reply, group, keys: 'r', run: () => choose('reply') })
  useAction({ id: 'note', name: text.actions.note, group, keys: 'n n', run: () => choose('note') })
  return (
    <section
      className={classes.composer}
      data-note={isInternal || undefined}
      aria-label={text.composer.label}
      onKeyDownCapture={event => {
        captureSendKey(event)
        captureUndoKey(event, composing.draft)
      }}
    >
      <Group justify="space-between" gap="xs" mb={6}>
        <KindChoice kind={kind} onChoose={setKind} />
        <DraftState composing={composing} />
      </Group>
      {!isInternal && <ByEmail composing={composing} />}
      {!isInternal && <Target composing={composing} />}
      <OtherDraft composing={composing} />
      <Circumstances composing={composing} />
      <Editor
        editor={editor}
        key={kind}
        place={composing.place}
        draft={composing.draft}
        label={isInternal ? text.composer.note : text.composer.reply}
        placeholder={isInternal ? text.composer.noteHere : text.composer.replyHere}
        onSend={ways.runUsual}
      />
      <AttachmentList place={composing.place} files={composing.draft.files} />
      <TroubleAlert trouble={composing.trouble} />
      <ComposerFoot place={composing.place} draft={composing.draft} editor={editor}>
        <SendButtons composing={composing} ways={ways} />
      </ComposerFoot>
    </section>
  )
}

/** By the channel of the ticket. */
const byEmail: Record<string, typeof ReplyEmail> = {
  ...{ email: ReplyEmail, api: ReplyEmail, phone: ReplyEmail, walk_in: ReplyEmail },
  widget: UnreadEmail,
}

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

/** Where a reply goes if it is not an email. Tickets of the website chat can continue in Telegram. */
function Target({ composing }: { composing: Composing }) {
  const { channel } = composing.ticket
  if (channel === 'email') return null
  return (
    <Suspense>
      {isCustom(channel) ? <CustomReply composing={composing} /> : <TelegramReply composing={composing} />}
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
