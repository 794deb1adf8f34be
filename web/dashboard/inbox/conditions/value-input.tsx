import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { pageText } from '../../core/page-text.ts'
import { PickerList } from '../../core/picker.tsx'
import { noneId, useChoices } from './choices.ts'
import type { Leaf, Plain, Value } from './condition.ts'
import { type FieldInfo, shapeOf } from './fields.ts'
import { printDuration, readDuration } from './words.ts'

export interface ValueProps {
  info: FieldInfo
  leaf: Leaf
  onChange(value: Value | undefined): void
}

const listOf = (value: Value | undefined): Plain[] => (Array.isArray(value) ? value : [])

const idOf = (value: Plain): string => (value === null ? noneId : String(value))

/** Several values of a list. */
export function ListInput({ info, leaf, onChange, onClose }: ValueProps & { onClose(): void }) {
  const [words, setWords] = useState('')
  const { choices, isSearched, isStale } = useChoices(info, words)
  const chosen = listOf(leaf.value)
  const toggle = (id: string) => {
    const value = id === noneId ? null : shapeOf(info, leaf.op) === 'numbers' ? Number(id) : id
    onChange(chosen.includes(value) ? chosen.filter(one => one !== value) : [...chosen, value])
  }
  return (
    <PickerList
      isMulti
      title={info.label}
      choices={choices.map(choice => ({
        ...choice,
        isChosen: chosen.some(one => idOf(one) === choice.id),
      }))}
      onSearch={isSearched ? setWords : undefined}
      isStale={isStale}
      onChoose={toggle}
      onClose={onClose}
    />
  )
}

const splitText = (typed: string): string[] => typed.split(',').flatMap(part => part.trim() || [])

/** Texts or numbers, separated by commas. */
function SeveralInput({ info, leaf, onChange }: ValueProps) {
  const [typed, setTyped] = useState('')
  const isNumber = shapeOf(info, leaf.op) === 'numbers'
  const read = (words: string) => (isNumber ? splitText(words).map(Number) : splitText(words))
  const values = listOf(leaf.value)
  // What was typed stays as it is, unless this is the value of another comparison by now.
  const isOwn = read(typed).join() === values.join()
  return (
    <TextInput
      data-autofocus
      size="sm"
      aria-label={pageText.conditions.value}
      description={pageText.conditions.separate}
      inputMode={isNumber ? 'numeric' : 'text'}
      value={isOwn ? typed : values.join(', ')}
      maxLength={500}
      onChange={event => {
        setTyped(event.currentTarget.value)
        onChange(read(event.currentTarget.value))
      }}
    />
  )
}

type FieldType = 'text' | 'number' | 'date'

interface OneProps {
  label: string
  type: FieldType
  value: Plain | undefined
  onChange(value: Plain): void
}

const typed = (type: FieldType, value: string): Plain =>
  type === 'number' && value !== '' ? Number(value) : value

/** A moment is shown as its day. */
const shownValue = (type: FieldType, value: Plain | undefined): string =>
  type === 'date' ? String(value ?? '').slice(0, 10) : String(value ?? '')

const OneInput = ({ label, type, value, onChange }: OneProps) => (
  <TextInput
    data-autofocus
    size="sm"
    flex="1 1 5rem"
    aria-label={label}
    type={type}
    value={shownValue(type, value)}
    maxLength={200}
    onChange={event => onChange(typed(type, event.currentTarget.value))}
  />
)

function TwoInput({ leaf, type, onChange }: { leaf: Leaf; type: FieldType; onChange(value: Value): void }) {
  const [from = '', to = ''] = listOf(leaf.value)
  return (
    <Group gap={6} grow wrap="nowrap">
      <OneInput
        label={pageText.conditions.from}
        type={type}
        value={from}
        onChange={one => onChange([one, to])}
      />
      <OneInput
        label={pageText.conditions.to}
        type={type}
        value={to}
        onChange={one => onChange([from, one])}
      />
    </Group>
  )
}

function DurationInput({ leaf, onChange }: { leaf: Leaf; onChange(value: Value | undefined): void }) {
  const read = readDuration(leaf.value)
  const [chosen, setChosen] = useState('D')
  const unit = read?.unit ?? chosen
  const set = (next: number, nextUnit: string) =>
    onChange(next > 0 ? printDuration(Math.min(next, 9_999), nextUnit) : undefined)
  return (
    <Group gap={6} grow wrap="nowrap">
      <OneInput
        label={pageText.conditions.amount}
        type="number"
        value={read?.amount ?? ''}
        onChange={one => {
          setChosen(unit)
          set(Math.trunc(Number(one)), unit)
        }}
      />
      <NativeSelect
        size="sm"
        aria-label={pageText.conditions.unit}
        data={Object.entries(pageText.conditions.units).map(([value, label]) => ({ value, label }))}
        value={unit}
        onChange={event => {
          setChosen(event.currentTarget.value)
          if (read) set(read.amount, event.currentTarget.value)
        }}
      />
    </Group>
  )
}

function FlagInput({ leaf, onChange }: ValueProps) {
  const { yes, no, value } = pageText.conditions
  return (
    <NativeSelect
      size="sm"
      aria-label={value}
      data={[
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ]}
      value={leaf.value === false ? 'no' : 'yes'}
      onChange={event => onChange(event.currentTarget.value === 'yes')}
    />
  )
}

/** Whether the values are chosen from a list. */
export function isListed(info: FieldInfo, op: string): boolean {
  const shape = shapeOf(info, op)
  return shape === 'words' || shape === 'tags' || (info.field === 'rating' && shape === 'numbers')
}

/** The value of any comparison whose values are not chosen from a list. */
export function TypedInput(props: ValueProps) {
  const { info, leaf, onChange } = props
  const label = pageText.conditions.value
  const one = Array.isArray(leaf.value) ? undefined : leaf.value
  const shape = shapeOf(info, leaf.op)
  if (shape === 'texts' || shape === 'numbers') return <SeveralInput {...props} />
  if (shape === 'duration') return <DurationInput leaf={leaf} onChange={onChange} />
  if (shape === 'boolean') return <FlagInput {...props} />
  if (shape === 'times') return <TwoInput leaf={leaf} type="date" onChange={onChange} />
  if (shape === 'two numbers') return <TwoInput leaf={leaf} type="number" onChange={onChange} />
  if (shape === 'none' || shape === undefined) return null
  const type = shape === 'time' ? 'date' : shape === 'number' ? 'number' : 'text'
  return <OneInput label={label} type={type} value={one} onChange={onChange} />
}
