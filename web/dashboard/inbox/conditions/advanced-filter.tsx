import { Button, Group as Line, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { pageText } from '../../core/page-text.ts'
import { useReturnFocus } from '../../core/return-focus.ts'
import { text } from '../../core/text.ts'
import { useConditions } from '../inbox.ts'
import { advancedFilter } from './advanced-state.ts'
import {
  type Condition,
  countLeaves,
  type Group,
  isLeaf,
  itemsOf,
  joinOf,
  makeGroup,
  maxLeaves,
} from './condition.ts'
import { type FieldInfo, isComplete, useFields } from './fields.ts'
import { GroupEditor } from './group-editor.tsx'

const close = () => advancedFilter.set(false)

/** Leaves out comparisons without a value, and groups without comparisons. */
const complete = (group: Group, fields: FieldInfo[]): Group =>
  makeGroup(
    joinOf(group),
    itemsOf(group).flatMap((item): Condition[] => {
      if (isLeaf(item)) {
        const info = fields.find(({ field }) => field === item.field)
        return !info || isComplete(info, item) ? [item] : []
      }
      const inner = complete(item, fields)
      return itemsOf(inner).length > 0 ? [inner] : []
    }),
  )

/** A dialog to combine conditions in groups. */
export default function AdvancedFilter() {
  useReturnFocus(true)
  const { conditions, change } = useConditions()
  const fields = useFields()
  const [draft, setDraft] = useState(conditions)
  const isTooLong = countLeaves(draft) > maxLeaves
  const { advanced, advancedAbout, apply, tooMany } = pageText.conditions
  const submit = () => {
    close()
    change(complete(draft, fields))
  }
  return (
    <Modal opened onClose={close} title={advanced} size="xl">
      <Stack gap="sm">
        <Text c="dimmed">{advancedAbout}</Text>
        <GroupEditor group={draft} level={1} onChange={setDraft} />
        {isTooLong && (
          <Text c="var(--mantine-color-error)" role="alert">
            {tooMany(maxLeaves)}
          </Text>
        )}
        <Line justify="flex-end">
          <Button variant="default" onClick={close}>
            {text.shell.cancel}
          </Button>
          <Button disabled={isTooLong} onClick={submit}>
            {apply}
          </Button>
        </Line>
      </Stack>
    </Modal>
  )
}
