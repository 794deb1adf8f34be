import { CheckIcon } from '@heroicons/react/16/solid'
import { Combobox, Group, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useState } from 'react'
import classes from './picker.module.css'
import { useReturnFocus } from './return-focus.ts'
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
  /** If set, the caller searches for matching options as the person types. */
  onSearch?(words: string): void
  /**
   * The options match an older query. Until the search has finished, only those that match the new one are
   * shown.
   */
  isStale?: boolean
  onChoose(id: string): void
  onClose(): void
  /** Stays open, so that several options can be chosen. */
  isMulti?: boolean
  none?: string
  children?: ReactNode
}

const fits = ({ label, about = '' }: PickerOption, words: string): boolean =>
  `${label} ${about}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())

/** A dialog to choose an option by typing, arrow keys and Enter. */
export function Picker(props: Props) {
  const { title, onClose } = props
  useReturnFocus(true)
  // Mantine's list is always open and would handle Escape itself.
  useWindowEvent('keydown', event => event.key === 'Escape' && onClose())
  return (
    <Modal opened onClose={onClose} title={title} size="md" padding="sm" yOffset="10vh" centered={false}>
      <PickerList {...props} />
    </Modal>
  )
}

/** The field and the options of a picker, for a popover or a dialog. */
export function PickerList(props: Props) {
  const { title, choices, onSearch, isStale, onChoose, onClose, isMulti, none, children } = props
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
        // Mantine's generated id would change, and the field would refer to a list that does not exist.
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

/** Preselects the chosen option or the first one for Enter; after typing, the first match. */
function usePreselected(words: string, shown: PickerOption[]) {
  const combobox = useCombobox({ opened: true })
  // The extra render updates the field's reference to the active option.
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
