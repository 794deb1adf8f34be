import { PlusIcon, TrashIcon } from '@heroicons/react/16/solid'
import { ActionIcon, Button, Group as Line, NativeSelect, Popover } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import { pageText } from '../../core/page-text.ts'
import classes from './chips.module.css'
import {
  type Condition,
  type Group,
  isLeaf,
  itemsOf,
  joinOf,
  joins,
  type Leaf,
  makeGroup,
  maxLevels,
} from './condition.ts'
import { type FieldInfo, newLeaf, useFields } from './fields.ts'
import { OperatorSelect } from './leaf-editor.tsx'
import { useNames } from './names.ts'
import { isListed, ListInput, TypedInput } from './value-input.tsx'

interface GroupProps {
  group: Group
  level: number
  onChange(group: Group): void
}

/** After the last condition was removed with the focus on its button, this button gets it. */
const keepFocus = (button: RefObject<HTMLElement | null>) =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) button.current?.focus()
  })

/** A group of conditions, which may contain groups. */
export function GroupEditor({ group, level, onChange }: GroupProps) {
  const items = itemsOf(group)
  const add = useRef<HTMLButtonElement>(null)
  const set = (next: Condition[]) => onChange(makeGroup(joinOf(group), next))
  const { match, matches, group: label } = pageText.conditions
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend
    <div className={classes.group} role="group" aria-label={label}>
      <NativeSelect
        // The dialog starts here, and not at the first value.
        data-autofocus={level === 1 || undefined}
        size="sm"
        w="fit-content"
        aria-label={match}
        value={joinOf(group)}
        data={joins.map(join => ({ value: join, label: matches[join] }))}
        onChange={event => {
          const join = joins.find(one => one === event.currentTarget.value) ?? 'all'
          onChange(makeGroup(join, items))
        }}
      />
      <ul className={classes.items}>
        {items.map((item, at) => (
          <Item
            key={at}
            item={item}
            level={level}
            onChange={next => set(items.with(at, next))}
            onRemove={() => {
              set(items.toSpliced(at, 1))
              keepFocus(add)
            }}
          />
        ))}
      </ul>
      <AddButtons button={add} isDeepest={level === maxLevels} onAdd={item => set([...items, item])} />
    </div>
  )
}

interface AddProps {
  /** Adds a condition. */
  button: RefObject<HTMLButtonElement | null>
  isDeepest: boolean
  onAdd(item: Condition): void
}

/** A new condition is about the status, until another field is chosen. */
function AddButtons({ button, isDeepest, onAdd }: AddProps) {
  const status = useFields().find(({ field }) => field === 'status')
  const { addCondition, addGroup } = pageText.conditions
  const look = {
    size: 'compact-sm',
    variant: 'default',
    leftSection: <PlusIcon width={14} aria-hidden />,
  }
  return (
    <Line gap="xs">
      <Button {...look} ref={button} onClick={() => status && onAdd(newLeaf(status))}>
        {addCondition}
      </Button>
      {!isDeepest && (
        <Button {...look} onClick={() => status && onAdd({ any: [newLeaf(status)] })}>
          {addGroup}
        </Button>
      )}
    </Line>
  )
}

interface ItemProps {
  item: Condition
  level: number
  onChange(item: Condition): void
  onRemove(): void
}

function Item({ item, level, onChange, onRemove }: ItemProps) {
  const { removeCondition, removeGroup } = pageText.conditions
  const label = isLeaf(item) ? removeCondition : removeGroup
  return (
    <li className={classes.item}>
      {isLeaf(item) ? (
        <LeafRow leaf={item} onChange={onChange} />
      ) : (
        <div className={classes.nested}>
          <GroupEditor group={item} level={level + 1} onChange={onChange} />
        </div>
      )}
      <ActionIcon size="lg" aria-label={label} title={label} onClick={onRemove}>
        <TrashIcon width={16} aria-hidden />
      </ActionIcon>
    </li>
  )
}

function LeafRow({ leaf, onChange }: { leaf: Leaf; onChange(leaf: Leaf): void }) {
  const fields = useFields()
  const info = fields.find(({ field }) => field === leaf.field)
  const known = info ? [] : [{ value: leaf.field, label: pageText.conditions.gone }]
  return (
    <div className={classes.fields}>
      <NativeSelect
        size="sm"
        aria-label={pageText.conditions.field}
        value={leaf.field}
        data={[...known, ...fields.map(({ field, label }) => ({ value: field, label }))]}
        onChange={event => {
          const next = fields.find(({ field }) => field === event.currentTarget.value)
          if (next) onChange(newLeaf(next))
        }}
      />
      {info && <OperatorSelect info={info} leaf={leaf} onChange={onChange} />}
      {info && <RowValue info={info} leaf={leaf} onChange={onChange} />}
    </div>
  )
}

interface RowValueProps {
  info: FieldInfo
  leaf: Leaf
  onChange(leaf: Leaf): void
}

function RowValue({ info, leaf, onChange }: RowValueProps) {
  const [isOpen, setOpen] = useState(false)
  const nameOf = useNames(leaf)
  const props = { info, leaf, onChange: (value: Leaf['value']) => onChange({ ...leaf, value }) }
  if (!isListed(info, leaf.op)) return <TypedInput key={`${leaf.field} ${leaf.op}`} {...props} />
  const values = Array.isArray(leaf.value) ? leaf.value : []
  const words = values.map(value => nameOf(leaf.field, value)).join(', ')
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={260}
      trapFocus
      returnFocus
      shadow="md"
      withinPortal={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          justify="flex-start"
          fw={400}
          aria-label={`${pageText.conditions.value}: ${words || pageText.conditions.choose}`}
          onClick={() => setOpen(!isOpen)}
        >
          {words || pageText.conditions.choose}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={info.label}>
        <ListInput {...props} onClose={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
