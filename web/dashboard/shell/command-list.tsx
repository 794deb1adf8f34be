import { Highlight, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { commandText } from '../core/command-text.ts'
import { Isolated } from '../core/isolate.tsx'
import { Keys } from '../core/key-caps.tsx'
import { text } from '../core/text.ts'
import { useOpenProject } from '../users/open-project.ts'
import classes from './command-bar.module.css'
import { type Entry, type EntryGroup, listGroups } from './entries.ts'
import { useFoundEntries, useGoTo } from './found-entries.ts'
import { numberEntry, useLocalEntries } from './local-entries.tsx'
import { typed } from './overlays.ts'

/** The entries that match the typed words. */
function useGroups(words: string): { groups: EntryGroup[]; isSettled: boolean } {
  const projectId = useOpenProject()?.project.id ?? ''
  const go = useGoTo(projectId)
  const local = useLocalEntries(true, words)
  const { entries: remote, isSettled } = useFoundEntries(projectId, words)
  const first = projectId ? numberEntry(words, go) : []
  const known = first.map(entry => remote.find(({ id }) => id === entry.id) ?? entry)
  // Once the server has answered, it is known whether the ticket exists.
  const existing =
    isSettled && words.trim().length > 1 ? known.filter(entry => remote.includes(entry)) : known
  return { groups: listGroups({ first: existing, local, remote, isSettled }, words), isSettled }
}

interface Props {
  icon: ReactNode
  onRun(entry: Entry): void
}

/** The field and the list of the command bar. */
export function CommandList({ icon, onRun }: Props) {
  const words = typed.use()
  const { groups, isSettled } = useGroups(words)
  const entries = groups.flatMap(group => group.entries)
  const active = useActive(entries, words)
  const listId = useId()
  const idOf = (entry: Entry) => `${listId} ${entry.id}`.replaceAll(/\s/g, '-')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const to = active.step(event.key)
    if (event.key === 'Enter' && active.entry) onRun(active.entry)
    else if (to) active.choose(to)
    else return
    event.preventDefault()
  }
  return (
    <>
      <Field
        icon={icon}
        listId={listId}
        activeId={active.entry && idOf(active.entry)}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={text.shell.commands}
        className={classes.list}
        hidden={entries.length === 0}
      >
        {groups.map((group, at) => (
          <Group key={`${group.name} ${at}`} group={group} active={active.entry} idOf={idOf} onRun={onRun} />
        ))}
      </div>
      <Result count={entries.length} isSettled={isSettled} words={words} />
    </>
  )
}

interface FieldProps {
  icon: ReactNode
  listId: string
  activeId: string | undefined
  onKeyDown(event: KeyboardEvent): void
}

const Field = ({ icon, listId, activeId, onKeyDown }: FieldProps) => (
  <TextInput
    data-autofocus
    data-command-field
    size="md"
    leftSection={icon}
    classNames={{ input: classes.field }}
    placeholder={text.shell.findCommand}
    value={typed.use()}
    maxLength={200}
    onChange={event => typed.set(event.currentTarget.value)}
    onKeyDown={onKeyDown}
    role="combobox"
    aria-label={text.shell.findCommand}
    aria-expanded
    aria-controls={listId}
    aria-autocomplete="list"
    aria-activedescendant={activeId}
  />
)

/** Announces the number of results; an empty list also shows it. */
function Result({ count, isSettled, words }: { count: number; isSettled: boolean; words: string }) {
  const said = count === 0 ? text.shell.noCommand : words && commandText.found(count)
  return (
    <p role="status" className={count === 0 ? classes.none : 'hidden'}>
      {isSettled && said}
    </p>
  )
}

/** The highlighted entry. It stays highlighted when results arrive, and the first one is highlighted when the words change. */
function useActive(entries: Entry[], words: string) {
  const [chosen, setChosen] = useState<{ id: string; words: string } | null>(null)
  const entry = entries.find(({ id }) => id === chosen?.id && chosen.words === words) ?? entries[0]
  const choose = ({ id }: Entry) => setChosen({ id, words })
  useEffect(() => {
    if (entry && (chosen?.id !== entry.id || chosen.words !== words)) choose(entry)
  })
  const at = entry ? entries.indexOf(entry) : -1
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 }
  return {
    entry,
    choose,
    /** The entry that a key highlights. After the last entry follows the first. */
    step: (key: string): Entry | undefined =>
      key in steps ? entries.at(steps[key]! % Math.max(entries.length, 1)) : undefined,
  }
}

interface GroupProps {
  group: EntryGroup
  active: Entry | undefined
  idOf(entry: Entry): string
  onRun(entry: Entry): void
}

function Group({ group: { name, entries }, active, idOf, onRun }: GroupProps) {
  const nameId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a listbox
    <div role="group" aria-labelledby={nameId}>
      <div id={nameId} className={classes.heading} role="presentation">
        {name}
      </div>
      {entries.map(entry => (
        <Option
          key={entry.id}
          id={idOf(entry)}
          entry={entry}
          isActive={entry.id === active?.id}
          onRun={() => onRun(entry)}
        />
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  entry: Entry
  isActive: boolean
  onRun(): void
}

function Option({ id, entry: { label, about, icon: Sign, picture, keys }, isActive, onRun }: OptionProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      ref={box}
      id={id}
      role="option"
      aria-selected={isActive}
      data-combobox-selected={isActive || undefined}
      className={classes.entry}
      onMouseDown={event => event.preventDefault()}
      onClick={onRun}
    >
      <span className={classes.icon}>{picture ?? (Sign && <Sign width={18} aria-hidden />)}</span>
      <span className={classes.words}>
        <Highlight component="span" highlight={typed.get().trim()} className={classes.label} dir="auto">
          {label}
        </Highlight>
        {about && (
          <span className={classes.about} dir="auto">
            <Isolated words={about} />
          </span>
        )}
      </span>
      {keys && <Keys keys={keys} />}
    </div>
  )
}
