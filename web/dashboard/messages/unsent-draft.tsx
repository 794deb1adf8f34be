import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { text } from '../core/text.ts'
import { type DraftPlace, draftOf, isEmpty, writeDraft } from './draft.ts'
import { useDraftSaving } from './draft-saving.ts'

interface Props {
  projectId: string
  /** The merged ticket, in which nothing is written any more. */
  from: string
  into: string
  onMove(): unknown
}

/** An unsent draft of a merged ticket, with a button to move it to the target. */
export function UnsentDraft({ projectId, from, into, onMove }: Props) {
  const [reply, note] = useMemo(
    () => [false, true].map(isInternal => ({ projectId, ticketId: from, isInternal })),
    [projectId, from],
  ) as [DraftPlace, DraftPlace]
  const isLeft = [useLeft(reply), useLeft(note)].some(Boolean)
  if (!isLeft) return null
  const move = () => {
    for (const place of [reply, note]) moveDraft(place, into)
    void onMove()
  }
  return (
    <Button size="compact-sm" variant="default" ms="xs" onClick={move}>
      {text.composer.moveDraft}
    </Button>
  )
}

function useLeft(place: DraftPlace): boolean {
  const draft = draftOf(place).use()
  useDraftSaving(place, draft)
  return !isEmpty(draft)
}

/** Appends the draft to an existing one. */
function moveDraft(place: DraftPlace, ticketId: string): void {
  const left = draftOf(place).get()
  if (isEmpty(left)) return
  const target = { ...place, ticketId }
  const { content, files, mentions } = draftOf(target).get()
  writeDraft(target, {
    content: [content, left.content].filter(Boolean).join('\n\n'),
    files: [...files, ...left.files],
    mentions: [...mentions, ...left.mentions],
  })
  writeDraft(place, { content: '', files: [], mentions: [] })
}
