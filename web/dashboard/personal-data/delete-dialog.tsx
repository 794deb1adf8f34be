import { Button, Group, List, Modal, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useChange } from '../core/query.ts'
import { useReturnFocus } from '../core/return-focus.ts'
import { text } from '../core/text.ts'
import {
  type DataDeletion,
  type Deletable,
  type DeletionPreview,
  deletionQuery,
  previewQuery,
  sendDeletion,
} from './queries.ts'

interface Props {
  record: Deletable
  title: string
  /** What must be typed to confirm. */
  words: string
  onClose(): void
  onDone(): void
}

/** Says what will be deleted, asks for a typed confirmation, and shows the progress. */
export function DeleteDialog({ record, title, words, onClose, onDone }: Props) {
  useReturnFocus(true)
  const [begun, setBegun] = useState<DataDeletion | null>(null)
  const { data: preview } = useQuery(previewQuery(record))
  const remove = useChange({ send: () => sendDeletion(record), onDone: setBegun })
  // The dialog opens when its input is ready, so that the input gets the focus.
  if (!preview) return null
  return (
    <Modal opened onClose={onClose} title={title}>
      {begun && <Running projectId={record.projectId} begun={begun} onClose={onClose} onDone={onDone} />}
      {!begun && (
        <DeletionForm
          effects={listEffects(record, preview)}
          words={words}
          isSending={remove.isPending}
          run={() => remove.mutate()}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}

function listEffects({ kind }: Deletable, preview: DeletionPreview): string[] {
  const { effects, exports } = text.personalData
  return [...effects[kind](preview), ...(preview.exports > 0 ? [exports(preview.exports)] : [])]
}

interface AskingProps {
  effects: string[]
  words: string
  isSending: boolean
  run(): void
  onClose(): void
}

/** Says what will be deleted, and asks for a typed confirmation. */
export function DeletionForm({ effects, words, isSending, run, onClose }: AskingProps) {
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim() === words.trim()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (isConfirmed) run()
      }}
    >
      <Stack>
        <Text>{text.personalData.about}</Text>
        <List size="sm">
          {effects.map(effect => (
            <List.Item key={effect}>{effect}</List.Item>
          ))}
        </List>
        <TextInput
          label={text.personalData.type(words)}
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={event => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.shell.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={isSending}>
            {text.personalData.delete}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface RunningProps {
  projectId: string
  begun: DataDeletion
  onClose(): void
  onDone(): void
}

function Running({ projectId, begun, onClose, onDone }: RunningProps) {
  const { data } = useQuery(deletionQuery(projectId, begun))
  const { messages, messages_total: total, state } = data
  useEffect(() => {
    if (state === 'done') onDone()
  }, [state, onDone])
  const words = text.personalData
  const label = messages < total ? words.progress(messages, total) : words.finishing
  return (
    <Stack>
      <Progress value={total ? (100 * messages) / total : 100} aria-label={label} animated />
      <Text size="sm" aria-live="polite">
        {label}
      </Text>
      <Text size="sm" c="dimmed">
        {words.leave}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.close}
        </Button>
      </Group>
    </Stack>
  )
}
