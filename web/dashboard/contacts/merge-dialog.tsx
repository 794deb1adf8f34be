import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useReturnFocus } from '../core/return-focus.ts'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { contactNameOf } from '../tickets/names.ts'
import { ContactPicker } from './contact-picker.tsx'
import classes from './identities.module.css'
import {
  fieldName,
  type MergePreview,
  mergeContact,
  previewMerge,
  printIdentity,
  type Winners,
} from './merge-calls.tsx'
import type { Contact } from './queries.ts'

const { merge: words } = pageText.contactProfile

interface Props {
  contact: Contact
  /** Opens a contact. */
  open(id: string): unknown
  onClose(): void
}

/** Asks for the other contact, then shows what the merge does, and asks which values to keep. */
export function MergeDialog({ contact, open, onClose }: Props) {
  useReturnFocus(true)
  const [preview, setPreview] = useState<MergePreview | null>(null)
  async function choose({ id }: Contact): Promise<void> {
    try {
      setPreview(await previewMerge(contact, id))
    } catch (failure) {
      showFailure(asFailure(failure))
      onClose()
    }
  }
  if (!preview)
    return (
      <ContactPicker
        title={words.choose}
        except={contact}
        onChoose={one => void choose(one)}
        onClose={onClose}
      />
    )
  return (
    <Modal opened onClose={onClose} title={words.title(contactNameOf(contact))} size="lg">
      <Preview contact={contact} preview={preview} open={open} onClose={onClose} />
    </Modal>
  )
}

function Preview({ contact, preview, open, onClose }: Props & { preview: MergePreview }) {
  const [winners, setWinners] = useState<Winners>({})
  const { into, identities, differences, tickets_count, undo_until } = preview
  const run = () => {
    onClose()
    void mergeContact(contact, preview, winners, open)
  }
  // A value that only one of them has is always kept.
  const choices = differences.filter(({ from, into: other }) => from !== null && other !== null)
  return (
    <Stack gap="sm">
      <Text>{words.about(contactNameOf(contact), contactNameOf(into))}</Text>
      <Text size="sm">{words.tickets(tickets_count)}</Text>
      {identities.length > 0 && (
        <Text size="sm" component="div">
          {words.identities}
          <ul className={classes.list}>
            {identities.map(printIdentity).map(one => (
              <li key={one} dir="auto" className={classes.words}>
                {one}
              </li>
            ))}
          </ul>
        </Text>
      )}
      {choices.length > 0 && <Text fw={600}>{words.differing}</Text>}
      {choices.map(one => (
        <Choice
          key={one.field}
          difference={one}
          winner={winners[one.field] ?? one.winner}
          onChoose={winner => setWinners({ ...winners, [one.field]: winner })}
        />
      ))}
      <Text size="sm" c="dimmed">
        {words.undoable(moment(undo_until))}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {text.shell.cancel}
        </Button>
        <Button onClick={run} data-autofocus>
          {words.run}
        </Button>
      </Group>
    </Stack>
  )
}

interface ChoiceProps {
  difference: MergePreview['differences'][number]
  winner: 'from' | 'into'
  onChoose(winner: 'from' | 'into'): void
}

function print(field: string, value: unknown): string {
  if (field === 'is_blocked') return value ? words.blocked : words.notBlocked
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const Choice = ({ difference: { field, from, into }, winner, onChoose }: ChoiceProps) => (
  <Radio.Group
    label={fieldName(field)}
    value={winner}
    onChange={value => onChoose(value === 'from' ? 'from' : 'into')}
  >
    <Stack gap={6} mt={4}>
      <Radio value="into" label={<bdi>{print(field, into)}</bdi>} />
      <Radio value="from" label={<bdi>{print(field, from)}</bdi>} />
    </Stack>
  </Radio.Group>
)
