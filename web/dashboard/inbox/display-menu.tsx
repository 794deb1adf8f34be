import { Button, Divider, Group, NativeSelect, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { LoadedProps } from '../core/lazy-target.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { mayChange } from '../views/queries.ts'
import { ColumnList } from './column-list.tsx'
import { type Display, useOwnDisplay } from './display.ts'
import { useDisplayChange } from './display-change.ts'
import { useView } from './inbox.ts'
import { JumpToDate } from './jump-to-date.tsx'
import { useOrder } from './order.ts'
import { sorts } from './search.ts'
import { canBeSaved, viewQuestion } from './view-question.ts'

/** How the list is shown and sorted, and what can be done with its view. */
export default function DisplayMenu({ target, isOpenAtFirst }: LoadedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const close = () => setOpen(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={290}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>{target({ onClick: () => setOpen(!isOpen) })}</Popover.Target>
      <Popover.Dropdown aria-label={pageText.ticketList.display}>
        <Stack gap="xs">
          <SortSelect />
          <Looks />
          <JumpToDate onDone={close} />
          <ViewActions onAsk={close} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function SortSelect() {
  const { sort, choose } = useOrder()
  return (
    <NativeSelect
      label={pageText.ticketList.sort}
      size="sm"
      value={sort}
      data={sorts.map(value => ({ value, label: pageText.ticketList.sorts[value] ?? value }))}
      onChange={event => {
        const chosen = sorts.find(one => one === event.currentTarget.value)
        if (chosen) choose(chosen)
      }}
    />
  )
}

interface ChoiceProps<Name extends string> {
  label: string
  labels: Record<Name, string>
  names: readonly Name[]
  value: Name
  onChange(name: Name): void
}

function Choice<Name extends string>({ label, labels, names, value, onChange }: ChoiceProps<Name>) {
  return (
    <div>
      <Text size="sm" mb={4}>
        {label}
      </Text>
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={label}
        data={names.map(name => ({ value: name, label: labels[name] }))}
        value={value}
        onChange={next => {
          const chosen = names.find(name => name === next)
          if (chosen) onChange(chosen)
        }}
      />
    </div>
  )
}

const layouts: Display['layout'][] = ['list', 'table']
const densities: Display['density'][] = ['comfortable', 'compact']

function Looks() {
  const display = useOwnDisplay()
  const change = useDisplayChange()
  const words = pageText.ticketList
  return (
    <>
      <Choice
        label={words.layout}
        labels={words.layouts}
        names={layouts}
        value={display.layout}
        onChange={layout => change({ layout })}
      />
      <Choice
        label={words.density}
        labels={words.densities}
        names={densities}
        value={display.density}
        onChange={density => change({ density })}
      />
      {display.layout === 'table' && (
        <ColumnList chosen={display.columns} onChange={columns => change({ columns })} />
      )}
    </>
  )
}

function ViewActions({ onAsk }: { onAsk(): void }) {
  const { role, operatorId } = useProject()
  const view = useView()
  const { conditions, ticketList } = pageText
  const ask = (question: 'save' | 'edit' | 'remove') => () => {
    onAsk()
    viewQuestion.set(question)
  }
  const isOwn = view?.kind === 'saved' && mayChange(view, role, operatorId)
  if (!canBeSaved(view)) return null
  return (
    <>
      <Divider />
      <Button variant="default" size="xs" onClick={ask('save')}>
        {conditions.saveView}
      </Button>
      {isOwn && (
        <Group gap={6} grow>
          <Button variant="default" size="xs" onClick={ask('edit')}>
            {ticketList.editView}
          </Button>
          <Button variant="subtle" color="red" size="xs" onClick={ask('remove')}>
            {ticketList.deleteView}
          </Button>
        </Group>
      )}
    </>
  )
}
