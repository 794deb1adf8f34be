import { CheckIcon } from '@heroicons/react/16/solid'
import { Combobox, Group, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useState } from 'react'
import classes from './picker.module.css'
import { text } from './text.ts'

export interface PickerOption {
  id: string
  label: string
  about?: string
  icon?: ReactNode
  isChosen?: boolean
}

interface Props {
  title: string
  choices: PickerOption[]
  /** Those that fit are made elsewhere, as words are typed. */
  onSearch?(words: string): void
  /** They were found for other words: until these have been searched, only what fits them is offered. */
  isStale?: boolean
  onChoose(id: string): void
  onClose(): void
  /** Stays open, so that several can be chosen. */
  isMulti?: boolean
  none?: string
  children?: ReactNode
}

const fits = ({ label, about = '' }: PickerOption, words: string): boolean =>
  `${label} ${about}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())

/** A dialog to choose from by typing, arrows and Enter. */
export function Picker(props: Props) {
  const { title, onClose } = props
  // Its own list, always open, would take the key for itself.
  useWindowEvent('keydown', event => event.key === 'Escape' && onClose())
  return (
    <Modal opened onClose={onClose} title={title} size="md" padding="sm" yOffset="10vh" centered={false}>
      <Content {...props} />
    </Modal>
  )
}

function Content({ title, choices, onSearch, isStale, onChoose, onClose, isMulti, none, children }: Props) {
  const [words, setWords] = useState('')
  const shown = onSearch && !isStale ? choices : choices.filter(choice => fits(choice, words))
  const combobox = usePreselected(words, shown)
  const listId = useId()
  const choose = (id: string) => {
    if (!isMulti) onClose()
    onChoose(id)
  }
  const search = (typed: string) => {
    setWords(typed)
    onSearch?.(typed)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          aria-label={title}
          placeholder={text.shell.find}
          value={words}
          maxLength={200}
          onChange={event => search(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      {children}
      <Combobox.Options
        // One of its own would change, and the field name a list that is not there.
        id={listId}
        className={classes.choices}
        aria-label={title}
        hidden={shown.length === 0}
      >
        {shown.map(choice => (
          <Option key={choice.id} choice={choice} />
        ))}
      </Combobox.Options>
      <Text role="status" c="dimmed" ta="center" py={shown.length === 0 ? 'sm' : 0}>
        {shown.length === 0 && !isStale && (none ?? text.shell.noneFits)}
      </Text>
    </Combobox>
  )
}

/** Enter takes what is chosen already, or the first; after a word the first that fits it. */
function usePreselected(words: string, shown: PickerOption[]) {
  const combobox = useCombobox({ opened: true })
  // Shown once more, the field names the list that it leads to.
  const [, setSelected] = useState<string | null>(null)
  useEffect(() => {
    setSelected(words ? combobox.selectFirstOption() : combobox.selectActiveOption())
  }, [words, shown.map(({ id }) => id).join(' ')])
  return combobox
}

const Option = ({ choice: { id, label, about, icon, isChosen } }: { choice: PickerOption }) => (
  <Combobox.Option value={id} active={isChosen}>
    <Group gap="sm" wrap="nowrap">
      {icon}
      <div className={classes.words}>
        <Text truncate>{label}</Text>
        {about && (
          <Text size="sm" c="dimmed" truncate>
            {about}
          </Text>
        )}
      </div>
      {isChosen && <CheckIcon className={classes.check} aria-hidden />}
    </Group>
  </Combobox.Option>
)
