import { CheckIcon } from '@heroicons/react/16/solid'
import { Combobox, Group, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './picker.module.css'
import { text } from './text.ts'

export interface Choice {
  id: string
  label: string
  about?: string
  icon?: ReactNode
  isChosen?: boolean
}

interface Props {
  title: string
  choices: Choice[]
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

const fits = ({ label, about = '' }: Choice, words: string): boolean =>
  `${label} ${about}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())

/** A dialog to choose from by typing, arrows and Enter. */
export function Picker(props: Props) {
  const { title, choices, onSearch, isStale, onChoose, onClose, isMulti, none, children } = props
  const [words, setWords] = useState('')
  const combobox = useCombobox({ opened: true })
  const shown = onSearch && !isStale ? choices : choices.filter(choice => fits(choice, words))
  useEffect(() => void combobox.selectFirstOption(), [words, shown.length])
  // Its own list, always open, would take the key for itself.
  useWindowEvent('keydown', event => event.key === 'Escape' && onClose())
  const choose = (id: string) => {
    if (!isMulti) onClose()
    onChoose(id)
  }
  return (
    <Modal opened onClose={onClose} title={title} size="md" padding="sm" yOffset="10vh" centered={false}>
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label={title}
            placeholder={text.shell.find}
            value={words}
            maxLength={200}
            onChange={event => {
              setWords(event.currentTarget.value)
              onSearch?.(event.currentTarget.value)
            }}
          />
        </Combobox.EventsTarget>
        {children}
        <Combobox.Options className={classes.choices} aria-label={title} hidden={shown.length === 0}>
          {shown.map(choice => (
            <Combobox.Option key={choice.id} value={choice.id} active={choice.isChosen}>
              <Group gap="sm" wrap="nowrap">
                {choice.icon}
                <div className={classes.words}>
                  <Text truncate>{choice.label}</Text>
                  {choice.about && (
                    <Text size="sm" c="dimmed" truncate>
                      {choice.about}
                    </Text>
                  )}
                </div>
                {choice.isChosen && <CheckIcon className={classes.check} aria-hidden />}
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        <Text role="status" c="dimmed" ta="center" py={shown.length === 0 ? 'sm' : 0}>
          {shown.length === 0 && !isStale && (none ?? text.shell.noneFits)}
        </Text>
      </Combobox>
    </Modal>
  )
}
